export * from './access/field-access.ts';
export * from './access/model-access.ts';
export { rightsNumber } from './access/rights-number.ts';
export * from './access/rule-node.ts';
export { customerReads, portalPaths } from './access/visitor.ts';
export * from './assemble/assemble-registry.ts';
export { isUnresolved } from './assemble/path.ts';
export { DefinitionError } from './assemble/problems.ts';
export { earlierNames, schemaRenames } from './assemble/renames.ts';
export { parseOrder } from './assemble/terms.ts';
export { ownThrough } from './assemble/through.ts';
export { fields } from './author/builders.ts';
export { groupBy } from './author/group-by.ts';
export * from './author/kernel-models.ts';
export { sum } from './author/sum.ts';
export { looseEnv, type TypedEnv, typedEnv } from './author/typed-env.ts';
export { createEnv, type EnvOptions } from './create-env.ts';
export { applyDefaults, sequenceCode } from './defaults/apply-defaults.ts';
export { nextNumbers } from './defaults/next-numbers.ts';
export { noteCounters } from './defaults/sequence-counter.ts';
export { type SysSequence, sequenceHooks, setCounters, sysSequence } from './defaults/sequence-model.ts';
export { domainToSql, envTokens } from './domain/compile-domain.ts';
export { knownField, relatedModel } from './domain/known-field.ts';
export { pastRules } from './domain/past-rules.ts';
export * from './domain/rule-predicate.ts';
export { fillAll, fillDefaults, fillPortion } from './drafts/fill-all.ts';
export { type OnchangeOptions, onchange } from './drafts/onchange.ts';
export * from './external-ids.ts';
export * from './fields/decimal.ts';
export * from './fields/default-sources.ts';
export { imageType } from './fields/file.ts';
export * from './fields/kind.ts';
export { fieldKinds } from './fields/kinds.ts';
export { commonDecimalMark } from './fields/read-number.ts';
export { isRecordId } from './fields/relation.ts';
export * from './fields/spec.ts';
export * from './fields/to-json.ts';
export { compileFormula, type FormulaScope, formulaFieldTypes } from './formula/compile-formula.ts';
export { formulaFunctions } from './formula/formula-functions.ts';
export { FormulaError, formulaLimits, formulaPaths, renameInFormula } from './formula/parse-formula.ts';
export { lockedLists } from './graph/locked-lists.ts';
export { pointsByItself, type WayTo, waysTo } from './graph/ways-to.ts';
export { answer } from './model/answer.ts';
export * from './model/behaviour.ts';
export { customisable } from './model/customisable.ts';
export * from './model/define-model.ts';
export * from './model/definition.ts';
export * from './model/depends.ts';
export { expandDomain, setNameOf } from './model/expand-sets.ts';
export { fieldAtPath, fieldsAlong } from './model/field-at-path.ts';
export { labelFromName } from './model/label.ts';
export type { MailPart, MailSpec } from './model/mail-spec.ts';
export * from './model/model.ts';
export { authorName, wireName } from './model/names.ts';
export * from './model/open.ts';
export * from './model/policy.ts';
export type { PortalDocument, PortalPayment, PortalSpec } from './model/portal-spec.ts';
export * from './model/records.ts';
export { isNeeded, neededFields, requiredFields } from './model/required-fields.ts';
export {
  type CachedRows,
  cachedRows,
  hasCachedChange,
  noteCachedChange,
  type RowCache,
  useRowCache,
} from './model/row-cache.ts';
export {
  type PlaceholderSpec,
  type PlaceholderSpecs,
  type PlaceholderType,
  type TextDefinition,
  type TextPart,
  textParts,
} from './model/text-definition.ts';
export { type TimelineEntry, timelineEntries } from './model/timeline-entries.ts';
export { englishKey } from './model/translated.ts';
export * from './model/unit-of-work.ts';
export type { Concern, PlannedWrite } from './plan/concern.ts';
export { makePlan, preventsStatement } from './plan/make-plan.ts';
export { type Asked, type AskedCount, takeAsked } from './reading/asked.ts';
export { budgets, writeAnswer } from './reading/budgets.ts';
export { checkRecords } from './reading/check-records.ts';
export { targetCurrency } from './reading/group/convert-amounts.ts';
export { guardRecord, isStrictAboutPaths, markLoaded, pathGuard } from './reading/guard-record.ts';
export { load } from './reading/load.ts';
export { planReading, type Reading } from './reading/plan-reading.ts';
export { read, readJson } from './reading/read.ts';
export { readGroup, readGroups } from './reading/read-group.ts';
export { calendarsOf } from './reading/read-load.ts';
export { type CountAsked, count, countEach, search } from './reading/search.ts';
export { searchRead, searchReadJson } from './reading/search-read.ts';
export { type PerGroupSpec, searchReadPerGroup } from './reading/search-read-per-group.ts';
export { storeShippedWords } from './rows/shipped-words.ts';
export { type ConstraintDescription, describeConstraints } from './schema/describe-constraints.ts';
export { tableSpecs } from './schema/table-specs.ts';
export { ConstraintError, type Violation } from './settle/check-constraints.ts';
export { inOperation } from './settle/in-operation.ts';
export { markStale } from './settle/mark-stale.ts';
export { type Portion, recomputeAll, recomputePortion } from './settle/recompute-all.ts';
export { dailyComputes, recomputeDaily } from './settle/recompute-daily.ts';
export { recomputeStale } from './settle/recompute-stale.ts';
export { concerns } from './writing/concerns.ts';
export { copy, isCopyable } from './writing/copy.ts';
export { createMany } from './writing/create-many.ts';
export { restored } from './writing/restored.ts';
export { type OneChange, planStatement, type Statement, type StatementRow } from './writing/statement.ts';
export { unlink } from './writing/unlink.ts';
export { write, writeEach } from './writing/write.ts';
