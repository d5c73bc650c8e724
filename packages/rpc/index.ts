export type {
  DryRun,
  ErrorCode,
  FieldConflict,
  GroupMeasure,
  GroupRow,
  GroupSpec,
  RecordChange,
  X2manyCommand,
} from '@kontor/protocol';
export type { BusMessage, BusOptions } from './bus.ts';
export { type Client, createClient } from './client.ts';
export * from './errors.ts';
export type { Change, ChangePage, FollowOptions } from './follow.ts';
export type { AllOptions, PutOptions, RecordsOf, Resolve, WriteEach, WriteOptions } from './records.ts';
export type { ClientOptions, Receipt, RetryOptions, RpcCall } from './transport.ts';
export type * from './types.ts';
