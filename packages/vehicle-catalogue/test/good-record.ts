/** A record in which nothing is wrong, and nothing to be mended. */
export const goodRecord = {
  id: "v1",
  type: "car",
  ev_type: "bev",
  model: "Borealis",
  usable_battery_size: 57.5,
  ac_phases: 3,
  ac_ports: ["type2"] as readonly string[],
  ac_max_power: 11,
  energy_consumption: { average_consumption: 16.2 },
  ac_power_per_charging_point: { "2.0": 2, "11.0": 11 },
  manufacturer: { id: "b1", name: "Northwind" },
};
