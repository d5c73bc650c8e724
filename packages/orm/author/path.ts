import type { FieldType } from '../fields/spec.ts';
import type { Field, InferredPath, RelationKind, TraitsOf } from './field.ts';
import type { ModelName, Models } from './models.ts';

export type Names<M extends ModelName> = keyof Models[M] & string;
/** The field with that name. A field of `fields.related` is the field at the end of its path. */
export type FieldNamed<M extends ModelName, Name> = Name extends keyof Models[M] ? Resolved<M, Models[M][Name]> : never;
type Resolved<M extends ModelName, F> = [InferredPath<TraitsOf<F>>] extends [never]
  ? F
  : FieldAt<M, InferredPath<TraitsOf<F>>> extends Field<infer Kind, infer Value, infer Far>
    ? Field<Kind, Value, TraitsOf<F> | Extract<Far, `set ${string}`>>
    : never;

export type NamesOfKind<M extends ModelName, Kind extends FieldType> = {
  [Name in Names<M>]: FieldNamed<M, Name> extends Field<Kind> ? Name : never;
}[Names<M>];
export type NamesWith<M extends ModelName, Trait> = {
  [Name in Names<M>]: Trait extends TraitsOf<Models[M][Name]> ? Name : never;
}[Names<M>];

/** The model behind a relation, by name; never for other fields. */
export type Target<M extends ModelName, Name> = Name extends keyof Models[M]
  ? FieldNamed<M, Name> extends Field<RelationKind, infer To, unknown>
    ? To & ModelName
    : never
  : never;

/** The field at the end of a path, at any depth; never if there is none. */
export type FieldAt<M extends ModelName, Path> = Path extends keyof Models[M]
  ? FieldNamed<M, Path>
  : Path extends `${infer First}.${infer Rest}`
    ? [Target<M, First>] extends [never]
      ? never
      : FieldAt<Target<M, First>, Rest>
    : never;

/** The valid names at the wrong step of a path: the compiler suggests the nearest. */
type Nearest<M extends ModelName, Path> = Path extends `${infer First}.${infer Rest}`
  ? First extends Names<M>
    ? [Target<M, First>] extends [never]
      ? First
      : `${First}.${Nearest<Target<M, First>, Rest>}`
    : `${NamesOfKind<M, RelationKind>}.${Rest}`
  : Names<M>;

/** All paths of one and two steps, for completion in editors. */
type Listed<M extends ModelName> =
  | Names<M>
  | { [Name in NamesOfKind<M, RelationKind>]: `${Name}.${Names<Target<M, Name>>}` }[NamesOfKind<M, RelationKind>];

/**
 * The path itself if every step exists; otherwise the nearest ones. `Path` is inferred through the branch that returns it. Each
 * path is checked by itself: a list of all paths of three steps is too large for the compiler.
 */
export type PathIn<M extends ModelName, Path> = Path extends string
  ? string extends Path
    ? Listed<M>
    : [FieldAt<M, Path>] extends [never]
      ? Nearest<M, Path>
      : Path
  : Listed<M>;

/** The compiler has no "Did you mean" for arguments, so its message lists only names with the same beginning. */
export type Near<Known extends string, Text> = Text extends Known
  ? Text
  : string extends Text
    ? Known
    : Text extends `${infer First}${infer Second}${string}`
      ? [Extract<Known, `${First}${Second}${string}`>] extends [never]
        ? Known
        : Extract<Known, `${First}${Second}${string}`>
      : Known;
