/**
 * All that a view or a widget may import: those that the client ships, and those of addons as `@kontor/client`. The page provides it, so that
 * every addon shares one React, one router and one record cache.
 */
export * from './analysis.ts';
export * from './chatter.ts';
export * from './fields.ts';
export * from './form.ts';
export * from './planning.ts';
export * from './records.ts';
export * from './screens.ts';
export * from './state.ts';
export * from './ui.ts';
export * from './views.ts';
export * from './wire.ts';
export * from './words.ts';
