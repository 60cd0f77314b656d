"""The Python server SDK in daemon mode, as a test in another process drives it: a user on each line in, on a line out every
flag with its value and reason."""

import json
import sys

from ldclient import Config, Context, LDClient
from ldclient.feature_store import CacheConfig
from ldclient.integrations import Redis

url, prefix, *keys = sys.argv[1:]
store = Redis.new_feature_store(url=url, prefix=prefix, caching=CacheConfig.disabled())
client = LDClient(Config("sdk-key", feature_store=store, use_ldd=True, send_events=False))

for line in sys.stdin:
    context = Context.create(line.strip())
    details = {key: client.variation_detail(key, context, "fallback") for key in keys}
    print(json.dumps({key: [detail.value, detail.reason] for key, detail in details.items()}), flush=True)
client.close()
