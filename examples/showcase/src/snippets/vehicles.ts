import { createVehicleClient } from "@wye/vehicle-catalogue/client";

const client = createVehicleClient({ baseUrl: "http://localhost:8080", apiKey: "your-key" });
const { vehicles } = await client.search("VW ID3", { size: 5 });
for (const { manufacturer, model } of vehicles) console.log(manufacturer?.name, model);
