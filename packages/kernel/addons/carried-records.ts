import type { TypedEnv } from '@kontor/orm';

/** Records that people make in the browser and that leave the database with its customisation. */
export interface CarriedRecords {
  /** Their model: only records that the exporting person may read leave, and none that came with an addon. */
  readonly model: string;
  /** The fields that can leave; none that the person who imports them must not set. */
  readonly fields: readonly string[];
  /** The values of a record that may leave; null: it names records that exist in this database only. */
  readonly leave: (call: {
    readonly env: TypedEnv;
    readonly id: number;
  }) => Promise<{ readonly values: CarriedValues; readonly modules: readonly string[] } | null>;
  /** The same values with the names that models and fields have in the exported addon. */
  readonly rename: (values: CarriedValues, names: CarriedNames) => CarriedValues;
}
export type CarriedValues = Readonly<Record<string, unknown>>;
/** Names of a customisation as those of an addon. */
export interface CarriedNames {
  /** The name of a model. */
  readonly model: (name: string) => string;
  /** The name of a field, or a path through links. */
  readonly path: (path: string) => string;
  /** A formula with other names of fields. */
  readonly formula: (formula: string) => string;
  /** A domain with other names of fields. */
  readonly domain: (domain: unknown) => unknown;
}
