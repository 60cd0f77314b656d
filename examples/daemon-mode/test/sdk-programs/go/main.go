// The Go server SDK in daemon mode, as a test in another process drives it: a user on each line in, on a line out every flag
// with its value and reason.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/launchdarkly/go-sdk-common/v3/ldcontext"
	"github.com/launchdarkly/go-sdk-common/v3/ldlog"
	"github.com/launchdarkly/go-sdk-common/v3/ldvalue"
	consul "github.com/launchdarkly/go-server-sdk-consul/v3"
	dynamo "github.com/launchdarkly/go-server-sdk-dynamodb/v4"
	redis "github.com/launchdarkly/go-server-sdk-redis-redigo/v3"
	ld "github.com/launchdarkly/go-server-sdk/v7"
	"github.com/launchdarkly/go-server-sdk/v7/ldcomponents"
	"github.com/launchdarkly/go-server-sdk/v7/subsystems"
)

func main() {
	database, address, prefix, keys := os.Args[1], os.Args[2], os.Args[3], os.Args[4:]
	client, err := ld.MakeCustomClient("sdk-key", ld.Config{
		DataSource: ldcomponents.ExternalUpdatesOnly(),
		DataStore:  ldcomponents.PersistentDataStore(store(database, address, prefix)).NoCaching(),
		Events:     ldcomponents.NoEvents(),
		Logging:    ldcomponents.Logging().MinLevel(ldlog.Error),
	}, time.Minute)
	if err != nil {
		panic(err)
	}
	defer client.Close()
	answers := json.NewEncoder(os.Stdout)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		details := map[string][2]any{}
		for _, key := range keys {
			fallback := ldvalue.String("fallback")
			value, detail, _ := client.JSONVariationDetail(key, ldcontext.New(lines.Text()), fallback)
			details[key] = [2]any{value, detail.Reason}
		}
		if err := answers.Encode(details); err != nil {
			panic(err)
		}
	}
}

func store(database, address, prefix string) subsystems.ComponentConfigurer[subsystems.PersistentDataStore] {
	switch database {
	case "redis":
		return redis.DataStore().URL(address).Prefix(prefix)
	case "consul":
		return consul.DataStore().Address(address).Prefix(prefix)
	}
	return dynamo.DataStore("flags").Prefix(prefix).ClientOptions(dynamodb.Options{
		EndpointResolver: dynamodb.EndpointResolverFromURL(address),
		Region:           "us-east-1",
		Credentials:      credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
}
