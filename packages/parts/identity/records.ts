/** The records that addons extend most. Stars, not names: interfaces can be merged through them. */
export type * from './company.ts';
export type * from './user.ts';
