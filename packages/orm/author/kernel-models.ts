/**
 * The kernel's own models, merged in through `@kontor/orm`. They are separate interfaces: the compiler keeps only one of two
 * augmentations when one interface is merged through two packages.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Models {}
/** The moves and actions of these models, merged in the same way. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Calls {}
