/**
 * The models that the kernel itself defines, merged in through `@kontor/orm`. Interfaces of their own: the compiler keeps
 * only one of two augmentations when one interface is merged through two packages.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Models {}
/** The moves and actions of these models, merged in the same way. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Calls {}
