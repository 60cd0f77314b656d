"""Runs a pipeline with kfp's own local runner, and prints how long each of its runs took, in milliseconds, as JSON.

Arguments: the file of the pipeline, "venv" or "no-venv", how many runs.
"""

import contextlib
import json
import logging
import os
import sys
import tempfile
import time
import warnings

from kfp import components, local

file, venv, runs = sys.argv[1:]
warnings.simplefilter("ignore")
with tempfile.TemporaryDirectory() as root:
    runner = local.SubprocessRunner(use_venv=venv == "venv")
    local.init(runner, pipeline_root=root)
    pipeline = components.load_component_from_file(file)
    times = []
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        logging.disable()
        for _ in range(int(runs)):
            before = time.perf_counter()
            pipeline()
            times.append((time.perf_counter() - before) * 1000)
print(json.dumps(times))
