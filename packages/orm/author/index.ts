export {
  addDays,
  addMonths,
  dateIn,
  daysBetween,
  elementsIn,
  fromLocal,
  htmlPolicy,
  ibanText,
  isTimeZone,
  KontorError,
  onDay,
  startOfMonth,
  type Text,
  text,
  toLocal,
  UserError,
  usualCalendar,
  ValidationError,
  type Words,
  type WorkCalendar,
  workingTime,
} from '@kontor/protocol';
export { customerReads, portalPaths } from '../access/visitor.ts';
export { Decimal } from '../fields/decimal.ts';
export { companyValue, currentCompany, currentUser, now, sequence, today } from '../fields/default-sources.ts';
export type { DefaultContext, MeantFor } from '../fields/spec.ts';
export { answer } from '../model/answer.ts';
export type { ModelDefinition } from '../model/definition.ts';
export { editable } from '../model/editable.ts';
export { fieldAtPath } from '../model/field-at-path.ts';
export { openPath } from '../model/open.ts';
export type { PortalDocument, PortalPayment, PortalSpec } from '../model/portal-spec.ts';
export type { ActionCall } from './action.ts';
export type { ActionAnswer } from './asks.ts';
export { defineModel, fields, inheritModel } from './author.ts';
export type { WriteCall } from './behaviour.ts';
export { companySettings, type SettingsOf } from './company-settings.ts';
export type { CallsOf } from './define-model.ts';
export { defineText, type EditableText, type TextValues } from './define-text.ts';
export { type Domain, domain } from './domain.ts';
export type { FieldsOf } from './field.ts';
export { groupBy } from './group-by.ts';
// With a star, addons can merge their interfaces into these.
export * from './models.ts';
export { open, openRelated } from './open.ts';
export type { Draft, Loaded, RecordOf } from './record.ts';
export { sum } from './sum.ts';
export { anyModel, type TypedEnv as Env } from './typed-env.ts';
export type { CastValues, Command, CreateValues, WriteValues } from './values.ts';
export { withPrefix } from './with-prefix.ts';
