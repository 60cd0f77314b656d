"""What a user of kfp does with a server: uploads, runs, waits, lists and deletes. Prints what came of it as JSON."""

import json
import sys

import kfp

host, package = sys.argv[1], sys.argv[2]
client = kfp.Client(host=host, namespace="team")
seen = {}

seen["healthz"] = client.get_kfp_healthz().multi_user
experiment = client.create_experiment("trial", description="First")
seen["same experiment"] = client.create_experiment("trial").experiment_id == experiment.experiment_id
pipeline = client.upload_pipeline(package, pipeline_name="hello")
seen["pipeline"] = pipeline.display_name
version = client.upload_pipeline_version(package, "v2", pipeline_name="hello")
seen["version"] = version.display_name
seen["pipeline id"] = client.get_pipeline_id("hello") == pipeline.pipeline_id
seen["versions"] = sorted(v.display_name for v in client.list_pipeline_versions(pipeline.pipeline_id).pipeline_versions)

run = client.run_pipeline(
    experiment.experiment_id, "run 1", params={"who": "you"},
    pipeline_id=pipeline.pipeline_id, version_id=version.pipeline_version_id)
seen["state"] = client.wait_for_run_completion(run.run_id, timeout=60, sleep_duration=0.1).state
seen["parameters"] = client.get_run(run.run_id).runtime_config.parameters
package_run = client.create_run_from_pipeline_package(
    package, arguments={"who": "me"}, run_name="from a package", experiment_name="trial", enable_caching=False)
seen["package run"] = client.wait_for_run_completion(package_run.run_id, timeout=60, sleep_duration=0.1).state

names, token = [], ""
while True:
    page = client.list_runs(page_token=token, page_size=1, sort_by="created_at desc", experiment_id=experiment.experiment_id)
    names += [r.display_name for r in page.runs or []]
    token = page.next_page_token
    if not token:
        break
seen["runs"] = sorted(names)

job = client.create_recurring_run(
    experiment.experiment_id, "nightly", cron_expression="0 0 3 * * *",
    pipeline_id=pipeline.pipeline_id, version_id=version.pipeline_version_id)
client.disable_recurring_run(job.recurring_run_id)
seen["recurring run"] = client.get_recurring_run(job.recurring_run_id).status
client.delete_recurring_run(job.recurring_run_id)

refusals = {}
for name, call in {
    "unknown run": lambda: client.get_run("nope"),
    "name taken": lambda: client.upload_pipeline(package, pipeline_name="hello"),
    "terminate ended": lambda: client.terminate_run(run.run_id),
    "delete with versions": lambda: client.delete_pipeline(pipeline.pipeline_id),
}.items():
    try:
        call()
        refusals[name] = None
    except Exception as error:  # pylint: disable=broad-except
        refusals[name] = getattr(error, "status", str(error))
seen["refusals"] = refusals

client.archive_run(run.run_id)
client.unarchive_run(run.run_id)
client.delete_run(run.run_id)
client.archive_experiment(experiment.experiment_id)
seen["experiment"] = client.get_experiment(experiment_name="trial").storage_state
print(json.dumps(seen))
