import {
  type Analysis,
  type Arch,
  type ArchField,
  fieldOf,
  fieldOfMeasure,
  fieldType,
  type GraphArch,
  isAdditive,
  isDateField,
  type MeasureArch,
} from '../../door/index.ts';

export const graphKinds = ['stacked', 'bar', 'line', 'area', 'pie'] as const;
/** `bar` draws series side by side, `stacked` on top of each other. */
export type GraphKind = (typeof graphKinds)[number];

export const mostGroups = 3;
/** More lines cannot be told apart. */
const mostMeasures = 4;
/** One axis on each side. */
const mostUnits = 2;
/** Series that can be told apart at a glance. */
const fewParts = 5;
const manySlices = 7;

/** What the graph shows, from the URL and the view. */
export interface GraphChoice {
  readonly kind: GraphKind;
  readonly measure: MeasureArch;
  /** That measure and the ones beside it; with several, there is no split. */
  readonly measures: readonly MeasureArch[];
  /** The group along the axis; null for a pie, whose slices are the first group. */
  readonly axis: string | null;
  /** The groups that split each point into series. */
  readonly split: readonly string[];
  readonly axisField: ArchField | null;
  readonly isDateAxis: boolean;
  /** How many series (or points, without a split) are shown; the rest are combined. 0: all. */
  readonly top: number;
  /** Running totals. */
  readonly isRunning: boolean;
  readonly canRun: boolean;
  readonly target: number | null;
  /** Largest first, instead of the order of the groups. */
  readonly isBySize: boolean;
}

/**
 * Whether the parts are ends that exclude each other, such as won and lost: nobody adds those, so each has its own total. The rest that
 * is behind the largest parts is not among them.
 */
export function isSplitByState({ states }: Arch, { split, measures }: GraphChoice): boolean {
  return measures.length === 1 && states !== undefined && split.includes(states.field);
}

export function graphChoice(analysis: Analysis, graph: GraphArch): GraphChoice {
  const { option, groupBy, workspace, measures } = analysis;
  const measure = measures[0] as MeasureArch;
  // Only the first measure of the view is shown until the user adds others.
  const all = option('measure') === '' ? [measure] : sideBySide(workspace.arch, measures);
  const isSeveral = all.length > 1;
  const groups = groupBy.slice(0, isSeveral ? 1 : mostGroups);
  const kind = kindOf(option('kind'), graph, all);
  const isPie = kind === 'pie';
  const axis = isPie ? null : (groups[0] ?? null);
  const split = isPie ? groups.slice(0, 1) : groups.slice(1);
  const axisField = axis === null ? null : (fieldOf(workspace.arch.fields, axis) ?? null);
  const isDateAxis = axis?.includes(':') === true && isDateField(axisField ?? undefined);
  const canRun = isDateAxis && all.every(isAdditive);
  return {
    kind,
    measure,
    measures: all,
    axis,
    split,
    axisField,
    isDateAxis,
    top: topOf(option('top'), isPie ? manySlices : split.length > 0 ? fewParts : 0),
    isRunning: canRun && option('running') === '1',
    canRun,
    target: isPie || isSeveral ? null : targetOf(option('target')),
    isBySize: option('order') === 'size',
  };
}

/** The unit of a measure. */
export function unitOf(arch: Arch, measure: MeasureArch): 'count' | 'money' | 'number' {
  if (measure.measure === 'count' || measure.measure === 'count_distinct') return 'count';
  return fieldType(fieldOfMeasure(arch, measure)?.type).isMoney ? 'money' : 'number';
}

function sideBySide(arch: Arch, measures: readonly MeasureArch[]): readonly MeasureArch[] {
  const fit: MeasureArch[] = [];
  for (const one of measures) if (refusalOf(arch, fit, one) === null) fit.push(one);
  return fit;
}

/** Why a measure cannot be shown beside the others. */
export function refusalOf(
  arch: Arch,
  chosen: readonly MeasureArch[],
  measure: MeasureArch,
): 'measures' | 'units' | null {
  if (chosen.length >= mostMeasures) return 'measures';
  const units = new Set([...chosen, measure].map((one) => unitOf(arch, one)));
  return units.size > mostUnits ? 'units' : null;
}

/** Averages and different measures do not add up, so they are never stacked or drawn as a pie. */
function kindOf(wanted: string, { kind, stacked }: GraphArch, measures: readonly MeasureArch[]): GraphKind {
  const found = graphKinds.find((one) => one === wanted) ?? (kind === 'bar' && stacked ? 'stacked' : kind);
  if (measures.length > 1) return found === 'line' || found === 'area' ? 'line' : 'bar';
  if (measures.every(isAdditive)) return found;
  return found === 'stacked' ? 'bar' : found === 'area' ? 'line' : found;
}

function topOf(option: string, usual: number): number {
  if (option === 'all') return 0;
  return /^[1-9]\d{0,2}$/.test(option) ? Number(option) : usual;
}

function targetOf(option: string): number | null {
  const target = Number(option);
  return option !== '' && Number.isFinite(target) ? target : null;
}
