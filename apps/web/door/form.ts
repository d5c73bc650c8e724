export { changeCount, missingFields } from '../data/form/changed-values.ts';
export { autosaveDraft, dropDraft, restoreDraft } from '../data/form/drafts.ts';
export {
  createForm,
  type Form,
  type FormState,
  firstValues,
  freshState,
  isDirty,
  isSameValue,
  needsSave,
  shownRecord,
  valueIn,
  withEdit,
} from '../data/form/form-state.ts';
export {
  asTyped,
  decimalsOf,
  invalidFields,
  invalidMessage,
  typedText,
  unmatchedName,
} from '../data/form/invalid-values.ts';
export { loadLineDefaults, parentValues, readLineDefaults, runLineOnchange } from '../data/form/line-onchange.ts';
export {
  addLine,
  changeLine,
  chooseRecords,
  enterInLine,
  isLinesEdit,
  isRecords,
  isToMany,
  type Line,
  type LinesEdit,
  type ListChange,
  linkLine,
  newLineKey,
  noLinesEdit,
  removeLine,
  seenValue,
  shownLines,
  writtenValue,
} from '../data/form/lines.ts';
export { adoptRecord, reviewTheirs, settleConflicts } from '../data/form/merge-theirs.ts';
export { createOnchange, fillNames } from '../data/form/onchange.ts';
export {
  type ActionResult,
  type AskingButton,
  closePanel,
  openPanel,
  type Panel,
  panels,
} from '../data/form/record-panels.ts';
export { saveForm, showFailure } from '../data/form/save-form.ts';
