//! The Rust server SDK, as a test in another process drives it: a JSON command on each line in, its answer on a line out.

use std::env;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Duration;

use launchdarkly_sdk_transport::HyperTransport;
use launchdarkly_server_sdk::{
    Client, ConfigBuilder, ContextBuilder, EventProcessorBuilder, FlagDetailConfig,
    PollingDataSourceBuilder, ServiceEndpointsBuilder, StreamingDataSourceBuilder,
};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Command {
    r#do: String,
    user: String,
    #[serde(default)]
    key: String,
    #[serde(default)]
    data: Value,
}

#[tokio::main]
async fn main() {
    let args: Vec<String> = env::args().collect();
    let (address, sdk_key, mode) = (&args[1], &args[2], &args[3]);
    let transport = HyperTransport::new().expect("no transport");
    let config = ConfigBuilder::new(sdk_key)
        .service_endpoints(ServiceEndpointsBuilder::new().relay_proxy(address))
        .event_processor(EventProcessorBuilder::new().transport(transport.clone()));
    let config = if mode == "poll" {
        config.data_source(PollingDataSourceBuilder::new().transport(transport))
    } else {
        config.data_source(
            StreamingDataSourceBuilder::new()
                .initial_reconnect_delay(Duration::from_millis(50))
                .transport(transport),
        )
    };
    let client = Client::build(config.build().expect("wrong options")).expect("no client");
    client.start_with_default_executor();
    client.wait_for_initialization(Duration::from_secs(60)).await;
    for line in stdin().lock().lines() {
        let command = serde_json::from_str(&line.expect("unreadable input")).expect("no command");
        writeln!(stdout(), "{}", answer(&client, command)).expect("nobody reads");
    }
    client.close();
}

fn answer(client: &Client, command: Command) -> Value {
    let Command { r#do, user, key, data } = command;
    let context = ContextBuilder::new(user).build().expect("no context");
    match r#do.as_str() {
        "ready" => json!(client.initialized()),
        "detail" => {
            let detail = client.json_variation_detail(&context, &key, Value::Null);
            json!({ "value": detail.value, "reason": detail.reason })
        }
        "all" => {
            let flags = client.all_flags_detail(&context, FlagDetailConfig::new());
            let mut values = json!(flags);
            let members = values.as_object_mut().expect("no flags");
            members.retain(|name, _| !name.starts_with('$'));
            values
        }
        "identify" => {
            client.identify(context);
            Value::Null
        }
        "track" => {
            client.track_data(context, key, data).expect("unprintable data");
            Value::Null
        }
        "flush" => {
            client.flush();
            Value::Null
        }
        other => panic!("{other} is no command"),
    }
}
