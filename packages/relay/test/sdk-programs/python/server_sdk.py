"""The Python server SDK, as a test in another process drives it: a JSON command on each line in, its answer on a line out."""

import json
import sys

from ldclient import Config, Context, LDClient

address, sdk_key, mode = sys.argv[1:]
client = LDClient(
    Config(
        sdk_key,
        base_uri=address,
        stream_uri=address,
        events_uri=address,
        stream=mode == "stream",
        initial_reconnect_delay=0.05,
    ),
    start_wait=60,
)


def answer(command):
    context = Context.create(command["user"])
    match command["do"]:
        case "ready":
            return client.is_initialized()
        case "detail":
            detail = client.variation_detail(command["key"], context, None)
            return {"value": detail.value, "reason": detail.reason}
        case "all":
            return client.all_flags_state(context).to_values_map()
        case "identify":
            return client.identify(context)
        case "track":
            return client.track(command["key"], context, command["data"])
        case "flush":
            return client.flush()


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
client.close()
