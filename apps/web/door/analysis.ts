export { comparedText, periodText, timeOf } from '../workspace/analysis/comparison.ts';
export {
  type CurrencyChoice,
  chosenCurrency,
  codeLabel,
  convertedText,
  currencyOf,
  type DrawnMeasure,
  domainOf,
  drawnDomain,
  drawnMeasures,
  drawnRow,
  figureOf,
  inCurrency,
  moneyOfQuestions,
  noCurrency,
  otherAmounts,
  tableCurrency,
} from '../workspace/analysis/currency.ts';
export { saveFile } from '../workspace/analysis/download.ts';
export { FigureTable } from '../workspace/analysis/figure-table.tsx';
export {
  type Figure,
  fieldOfMeasure,
  formatFigure,
  formatGroup,
  formatShare,
  formatShort,
} from '../workspace/analysis/format-figure.ts';
export { AnalysisFrame } from '../workspace/analysis/frame.tsx';
export { askedMeasures } from '../workspace/analysis/measures.ts';
export { openRecords } from '../workspace/analysis/open-records.ts';
export {
  fieldName,
  fieldOf,
  GroupPicks,
  isDateField,
  Pick,
  pickLook,
  Switch,
  SwitchButton,
} from '../workspace/analysis/picks.tsx';
export { toPng } from '../workspace/analysis/picture.ts';
export type { Sheet, SheetCell, SheetColumn, SheetRow } from '../workspace/analysis/sheet.ts';
export { type Analysis, useAnalysis } from '../workspace/analysis/use-analysis.ts';
export { type Figures, useFigures } from '../workspace/analysis/use-figures.ts';
