// The Go server SDK, as a test in another process drives it: a JSON command on each line in, its answer on a line out.
package main

import (
	"encoding/json"
	"os"
	"time"

	"github.com/launchdarkly/go-sdk-common/v3/ldcontext"
	"github.com/launchdarkly/go-sdk-common/v3/ldlog"
	"github.com/launchdarkly/go-sdk-common/v3/ldvalue"
	ld "github.com/launchdarkly/go-server-sdk/v7"
	"github.com/launchdarkly/go-server-sdk/v7/ldcomponents"
)

type command struct {
	Do   string
	Key  string
	User string
	Data ldvalue.Value
}

func main() {
	address, sdkKey, mode := os.Args[1], os.Args[2], os.Args[3]
	config := ld.Config{
		DataSource:       ldcomponents.StreamingDataSource().InitialReconnectDelay(50 * time.Millisecond),
		Logging:          ldcomponents.Logging().MinLevel(ldlog.Warn),
		ServiceEndpoints: ldcomponents.RelayProxyEndpoints(address),
	}
	if mode == "poll" {
		config.DataSource = ldcomponents.PollingDataSource()
	}
	client, err := ld.MakeCustomClient(sdkKey, config, time.Minute)
	if err != nil {
		panic(err)
	}
	defer client.Close()
	commands, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var next command
		if commands.Decode(&next) != nil {
			return
		}
		if err := answers.Encode(answer(client, next)); err != nil {
			panic(err)
		}
	}
}

func answer(client *ld.LDClient, next command) any {
	context := ldcontext.New(next.User)
	switch next.Do {
	case "ready":
		return client.Initialized()
	case "detail":
		_, detail, _ := client.JSONVariationDetail(next.Key, context, ldvalue.Null())
		return map[string]any{"value": detail.Value, "reason": detail.Reason}
	case "all":
		return client.AllFlagsState(context).ToValuesMap()
	case "identify":
		return client.Identify(context)
	case "track":
		return client.TrackData(next.Key, context, next.Data)
	case "flush":
		client.Flush()
	}
	return nil
}
