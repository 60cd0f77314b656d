import type { Brand } from "../brand.js";
import type { VehicleType } from "../vehicle.js";
import type { VehicleAttributes } from "../vehicle-attributes.js";

/** What can be left out of a record, because there is a rule for what it then is. */
type Derivable =
  | "release_year"
  | "variant"
  | "dc_ports"
  | "dc_max_power"
  | "dc_charging_curve"
  | "dc_default_charging_curve"
  | "dc_charge_ports";

/**
 * A vehicle as it may be given to a catalogue. Left out: the year is unknown (null), the variant is empty, there is no
 * DC charging; a DC vehicle without a curve gets the default curve, flagged as such; `dc_charge_ports` are the standard
 * ones of `dc_ports`.
 */
export interface VehicleInput
  extends Omit<VehicleAttributes, Derivable>,
    Partial<Pick<VehicleAttributes, Derivable>> {
  readonly id: string;
  readonly type: VehicleType;
  readonly manufacturer: Brand;
}
