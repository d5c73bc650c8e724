/** The one door for addon authors. What the author writes with is documented where it is declared, with examples. */
export {
  type AddonDefinition,
  defineAddon,
  type JobSpec,
  notify,
  type ObserverSpec,
  publish,
  type RouteAnswer,
  type RouteRequest,
  type RouteSpec,
  systemJobs,
  systemModels,
} from '@kontor/kernel';
export * from '@kontor/orm/author';
