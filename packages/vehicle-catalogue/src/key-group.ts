/**
 * What a key may do. `ReadVehicles` is needed for every answer; `ReadVehiclesFull` adds the charging curve and the AC
 * table. A deployment that knows one kind of key grants both.
 */
export const keyGroups = ["ReadVehicles", "ReadVehiclesFull"] as const;

/** One of the groups. */
export type KeyGroup = (typeof keyGroups)[number];
