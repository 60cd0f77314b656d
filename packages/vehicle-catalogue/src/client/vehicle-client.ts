import type { Brand } from "../brand.js";
import type { BrandFieldList, FetchedVehicle, VehicleFieldList } from "./fetched-vehicle.js";
import type { RawDocument } from "./json-api-document.js";
import type { CallOptions, SearchRequest, VehicleRequest, VehiclesRequest } from "./vehicle-requests.js";

/** One page of vehicles. */
export interface VehiclePage<Vehicle> {
  readonly vehicles: readonly Vehicle[];
  /** How many vehicles match, on all pages; undefined where the server does not say. */
  readonly overallCount: number | undefined;
  readonly number: number;
  readonly size: number;
  /** Whether there is a page after this one. */
  readonly hasNext: boolean;
  /** When the catalogue last changed, from servers that say so; `filter.updatedSince` takes it. */
  readonly lastModified: string | undefined;
  /** The document of this page as it came. For a list of ids: the part of the answers that belongs to this page. */
  readonly document: RawDocument;
}

/** All brands that have a supported vehicle. */
export interface BrandList {
  readonly brands: readonly Brand[];
  readonly overallCount: number | undefined;
  readonly document: RawDocument;
}

/** Reads a vehicle catalogue. Broken calls reject with a `VehicleClientError`, wrong ones throw a `TypeError`. */
export interface VehicleClient {
  /**
   * All vehicles that match, each once, page after page as they are consumed; leaving the loop ends the requests. The
   * deadline holds for each page. Where counts that fall, or vehicles that come twice, tell that some may have moved past all pages, the pages are
   * read again for those, four times at most. One in front that gives way to one at the end, between two pages, nothing tells.
   */
  vehicles<
    const CarFields extends VehicleFieldList = undefined,
    const MotorbikeFields extends VehicleFieldList = undefined,
    const BrandFields extends BrandFieldList = undefined,
  >(
    request?: VehiclesRequest<CarFields, MotorbikeFields, BrandFields>,
  ): AsyncGenerator<FetchedVehicle<CarFields, MotorbikeFields, BrandFields>, void, undefined>;

  /**
   * The same page by page, as each is when it is asked for: where the catalogue changes meanwhile, a vehicle may be on two of them, or on none.
   * A page behind the first that turns out empty, or like the one before it, is passed over: then its number is lacking, or the last one
   * has been told of a next.
   */
  pages<
    const CarFields extends VehicleFieldList = undefined,
    const MotorbikeFields extends VehicleFieldList = undefined,
    const BrandFields extends BrandFieldList = undefined,
  >(
    request?: VehiclesRequest<CarFields, MotorbikeFields, BrandFields>,
  ): AsyncGenerator<VehiclePage<FetchedVehicle<CarFields, MotorbikeFields, BrandFields>>, void, undefined>;

  /** One page. A number beyond the last page gives an empty one. */
  page<
    const CarFields extends VehicleFieldList = undefined,
    const MotorbikeFields extends VehicleFieldList = undefined,
    const BrandFields extends BrandFieldList = undefined,
  >(
    request?: VehiclesRequest<CarFields, MotorbikeFields, BrandFields>,
  ): Promise<VehiclePage<FetchedVehicle<CarFields, MotorbikeFields, BrandFields>>>;

  /** Finds vehicles by what people type, best match first, at most 25. */
  search<
    const CarFields extends VehicleFieldList = undefined,
    const MotorbikeFields extends VehicleFieldList = undefined,
    const BrandFields extends BrandFieldList = undefined,
  >(
    text: string,
    request?: SearchRequest<CarFields, MotorbikeFields, BrandFields>,
  ): Promise<VehiclePage<FetchedVehicle<CarFields, MotorbikeFields, BrandFields>>>;

  /** The vehicle with this id, or undefined if there is none. */
  byId<
    const CarFields extends VehicleFieldList = undefined,
    const MotorbikeFields extends VehicleFieldList = undefined,
    const BrandFields extends BrandFieldList = undefined,
  >(
    id: string,
    request?: VehicleRequest<CarFields, MotorbikeFields, BrandFields>,
  ): Promise<FetchedVehicle<CarFields, MotorbikeFields, BrandFields> | undefined>;

  /** All brands that have a supported vehicle. */
  brands(request?: CallOptions): Promise<BrandList>;
}
