"""The Python server SDK in daemon mode, as a test in another process drives it: a user on each line in, on a line out every
flag with its value and reason."""

import json
import sys
from urllib.parse import urlparse

from ldclient import Config, Context, LDClient
from ldclient.feature_store import CacheConfig
from ldclient.integrations import Consul, DynamoDB, Redis

database, address, prefix, *keys = sys.argv[1:]
uncached = {"prefix": prefix, "caching": CacheConfig.disabled()}


def store():
    if database == "redis":
        return Redis.new_feature_store(url=address, **uncached)
    if database == "consul":
        place = urlparse(address)
        return Consul.new_feature_store(host=place.hostname, port=place.port, **uncached)
    local = {"endpoint_url": address, "region_name": "us-east-1"}
    login = {"aws_access_key_id": "local", "aws_secret_access_key": "local"}
    return DynamoDB.new_feature_store("flags", dynamodb_opts={**local, **login}, **uncached)


client = LDClient(Config("sdk-key", feature_store=store(), use_ldd=True, send_events=False))

for line in sys.stdin:
    context = Context.create(line.strip())
    details = {key: client.variation_detail(key, context, "fallback") for key in keys}
    print(json.dumps({key: [detail.value, detail.reason] for key, detail in details.items()}), flush=True)
client.close()
