// For authors of stores and sources.
export { type Item, type ItemKind, parseItem, tombstone } from "@wye/flag-evaluator";
export type { AnnouncedChange, AnnouncedOptions } from "./auto-config/announced-change.js";
export type {
  AnnouncementContext,
  AnnouncementSink,
  AnnouncementSourceFactory,
} from "./auto-config/announcement-source.js";
export { announcementStream } from "./auto-config/announcement-stream.js";
export type {
  BigSegmentPatch,
  BigSegmentStore,
  BigSegmentStoreFactory,
  MemberChanges,
  Memberships,
} from "./big-segments/big-segment-store.js";
export type { BigSegmentStatus } from "./big-segments/membership-reader.js";
export { memoryBigSegmentStore } from "./big-segments/memory-big-segment-store.js";
export type { Change, Selector } from "./change.js";
// For hosts.
export { type Clock, systemClock } from "./clock.js";
export type { CredentialKind, OwnKeys } from "./credentials.js";
export type { EnvironmentAbout } from "./environment-about.js";
export type { Environments, RotationOptions } from "./environments.js";
export { isRelayError, RelayError, type RelayErrorCode } from "./error.js";
export type { RelayHandler } from "./http/handler.js";
export type { RelayRequest, RelayResponse } from "./http/relay-response.js";
export type { Logger } from "./logger.js";
export { messageOf } from "./message-of.js";
export type { CounterName, GaugeName, HistogramName, MetricLabels, MetricsSink } from "./metrics.js";
export { checkOfflineFile, type OfflineFileReport } from "./offline/check-offline-file.js";
export { type FlagFileOptions, flagFile } from "./offline/flag-file.js";
export { offlineFile } from "./offline/offline-file.js";
export type {
  OfflineChange,
  OfflineContext,
  OfflineSink,
  OfflineSourceFactory,
} from "./offline/offline-source.js";
export { type OpenTelemetryMeter, openTelemetrySink } from "./open-telemetry-sink.js";
export { type Duration, parseDuration } from "./options/duration.js";
export type { OptionReader } from "./options/option-reader.js";
export type {
  AutoConfigOptions,
  BigSegmentOptions,
  EnvironmentChanges,
  EnvironmentOptions,
  EventOptions,
  FurtherKey,
  OfflineOptions,
  RelayOptions,
  StreamOptions,
  UpstreamOptions,
} from "./options/options.js";
export type {
  ResolvedUpstream,
  UpstreamAnswer,
  UpstreamDispatcher,
  UpstreamRequest,
} from "./options/resolved-sections.js";
export { orAborted } from "./or-aborted.js";
export type { UnservedOptions } from "./read-shortfalls.js";
export type { ReadyPolicy } from "./ready-policy.js";
export { type CloseOptions, createRelay, type Relay } from "./relay.js";
export type { NewKeys } from "./rotated-keys.js";
export type { Shortfall } from "./shortfall.js";
export { itemsFromJson } from "./sources/change-from-event.js";
export type { ConnectionStateName, ConnectionStatus } from "./sources/connection-state.js";
export { createFixedSource, type FixedSource } from "./sources/fixed-source.js";
export type { Source, SourceContext, SourceFactory, SourceSink } from "./sources/source.js";
export type { SourceErrorKind } from "./sources/source-error-kind.js";
export { streamSource } from "./sources/stream-source.js";
export type { EnvironmentStatus, RelayStatus } from "./status-document.js";
export { type BatchLimits, batchesOf } from "./stores/batches-of.js";
export {
  type CommonStoreOptions,
  checkStoreOptions,
  type StoreOptionRules,
} from "./stores/check-store-options.js";
export { fillPlace, fillPrefix, type PlaceTemplate } from "./stores/database-place.js";
export { createDatabasePlaces } from "./stores/database-places.js";
export { describeAddress } from "./stores/describe-address.js";
export { explainFailures, type Remedy, saidBy, withRemedy } from "./stores/explain-failures.js";
export { type FileStoreOptions, fileStore } from "./stores/file-store.js";
export type {
  DatabasePlaces,
  FlagStore,
  FlagStoreContext,
  FlagStoreFactory,
  StoreDescription,
} from "./stores/flag-store.js";
export { memoryStore } from "./stores/memory-store.js";
export { readStoredItems } from "./stores/read-stored-items.js";
export { standInFor } from "./stores/stand-in-for.js";
export type { StoreStatus } from "./stores/store-writer.js";
export { itemFromStored, storedText } from "./stores/stored-item.js";
export {
  isKeepable,
  readStoredItem,
  type StoredText,
  type StoreVoice,
  tellOfLeftOut,
} from "./stores/tell-of-items.js";
export { upsertEach } from "./stores/upsert-each.js";
export { type TimedCall, timedCall } from "./timed-call.js";
export { UpstreamConnections } from "./upstream/upstream-connections.js";
