import com.launchdarkly.logging.LDLogLevel;
import com.launchdarkly.sdk.LDContext;
import com.launchdarkly.sdk.LDValue;
import com.launchdarkly.sdk.ObjectBuilder;
import com.launchdarkly.sdk.json.JsonSerialization;
import com.launchdarkly.sdk.server.Components;
import com.launchdarkly.sdk.server.LDClient;
import com.launchdarkly.sdk.server.LDConfig;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.time.Duration;

/** The Java server SDK, as a test in another process drives it: a JSON command on each line in, its answer on a line out. */
public final class ServerSdk {
  public static void main(String[] args) throws Exception {
    var config = new LDConfig.Builder()
        .dataSource(
            args[2].equals("poll")
                ? Components.pollingDataSource()
                : Components.streamingDataSource().initialReconnectDelay(Duration.ofMillis(50)))
        .serviceEndpoints(Components.serviceEndpoints().relayProxy(URI.create(args[0])))
        .logging(Components.logging().level(LDLogLevel.WARN))
        .startWait(Duration.ofMinutes(1))
        .build();
    try (var client = new LDClient(args[1], config)) {
      var commands = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
      for (String line = commands.readLine(); line != null; line = commands.readLine())
        System.out.println(answer(client, LDValue.parse(line)).toJsonString());
    }
  }

  private static LDValue answer(LDClient client, LDValue command) {
    var context = LDContext.create(command.get("user").stringValue());
    var key = command.get("key").stringValue();
    switch (command.get("do").stringValue()) {
      case "ready":
        return LDValue.of(client.isInitialized());
      case "detail":
        var detail = client.jsonValueVariationDetail(key, context, LDValue.ofNull());
        var reason = LDValue.parse(JsonSerialization.serialize(detail.getReason()));
        return LDValue.buildObject().put("value", detail.getValue()).put("reason", reason).build();
      case "all":
        ObjectBuilder values = LDValue.buildObject();
        client.allFlagsState(context).toValuesMap().forEach(values::put);
        return values.build();
      case "identify":
        client.identify(context);
        break;
      case "track":
        client.trackData(key, context, command.get("data"));
        break;
      case "flush":
        client.flush();
        break;
      default:
        throw new IllegalArgumentException(command.toJsonString());
    }
    return LDValue.ofNull();
  }
}
