/** The one door for addon authors. What the author writes with is documented where it is declared, with examples. */

export { fontFiles } from '@kontor/exchange';
export {
  type AddonDefinition,
  checkRight,
  composeMail,
  defineAddon,
  type JobSpec,
  mayPersonRead,
  notify,
  type ObserverSpec,
  publish,
  queueMail,
  type RouteAnswer,
  type RouteRequest,
  type RouteSpec,
  recordLink,
  recordPath,
  systemJobs,
  wordsFor,
  wordsIn,
} from '@kontor/kernel';
export type * from '@kontor/kernel/records';
export * from '@kontor/orm/author';
export { systemModels } from '@kontor/parts';
