/** The one door for addon authors. What the author writes with is documented where it is declared, with examples. */

export { drawTable, fontFiles, formatAmount, formatDate, formatNumber, openSheet, type Sheet } from '@kontor/exchange';
export {
  type AddonDefinition,
  agentOf,
  defineAddon,
  type FollowedChange,
  type JobSpec,
  type NoticeSpec,
  type ObserverSpec,
  publish,
  type RouteAnswer,
  type RouteRequest,
  type RouteSpec,
  type WorkerCall,
  type WorkerSpec,
  wordsIn,
} from '@kontor/kernel';
export * from '@kontor/orm/author';
export {
  changesAfter,
  checkRight,
  composeMail,
  exportRoute,
  findCity,
  inNameOf,
  isMailAddress,
  mayPersonRead,
  notify,
  type OutsideResult,
  openPersonalData,
  outsideRequests,
  personalFile,
  privacyGroup,
  queueMail,
  recordLink,
  recordPath,
  systemJobs,
  systemModels,
  tellPerson,
  wordsFor,
} from '@kontor/parts';
export type * from '@kontor/parts/records';
