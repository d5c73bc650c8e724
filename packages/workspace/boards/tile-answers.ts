import { type Env, envTokens, type Model, mayReadField, readGroups } from '@kontor/orm';
import {
  type Answer,
  type Arch,
  analysisTime,
  type Comparison,
  changeQuestions,
  type Domain,
  dateFieldAmong,
  fieldType,
  type GraphArch,
  type GroupMeasure,
  type GroupRow,
  type GroupSpec,
  graphQuestions,
  isAdditive,
  KontorError,
  type MeasureArch,
  measureNamed,
  measureNames,
  type PivotArch,
  pivotQuestion,
  searchedFields,
  serializeDomain,
  text,
} from '@kontor/protocol';
import type { ViewRequest } from '../payload/view-request.ts';

/** A graph has an axis and up to two levels of series. */
const mostGroups = 3;
const mostMeasures = 4;
/** The maximum levels of rows and columns of a pivot on a board. */
const pivotRows = 2;
const pivotColumns = 1;

/** Other parameters of the screen's URL: measure, kind, compare, columns. */
export type Choices = Pick<URLSearchParams, 'get'>;

/** The arch of a graph with everything its tile shows: one statement, including the comparison period. */
export async function graphAnswers(request: ViewRequest, choices: Choices, isFigure: boolean): Promise<Partial<Arch>> {
  const graph = request.arch.graph as GraphArch;
  const chosen = (request.search.groupBy.length > 0 ? request.search.groupBy : graph.groupBy).slice(0, mostGroups);
  // A figure has a line over time and no other groups.
  const groupBy = isFigure ? chosen.filter((group) => isByDate(request.arch, group)).slice(0, 1) : chosen;
  // Several measures are shown side by side, without a split or a comparison.
  const most = choices.get('measure') === null ? 1 : mostMeasures;
  const shown = chosenMeasures(request, graph.measures, choices).slice(0, most);
  const isSeveral = shown.length > 1;
  const isPie = !isFigure && !isSeveral && (choices.get('kind') ?? graph.kind) === 'pie';
  const axis = isPie ? null : (groupBy[0] ?? null);
  const split = isPie ? groupBy.slice(0, 1) : isSeveral ? [] : groupBy.slice(1);
  const domain = serializeDomain(request.search.domain);
  const time = timeOf(request, choices, domain, chosen);
  const isRunning =
    choices.get('running') === '1' && shown.every(isAdditive) && axis !== null && isByDate(request.arch, axis);
  const questions = graphQuestions({
    ...{ domain, axis, split, fields: shown.flatMap(asked), isRunning, money: request.query.convert ?? true },
    time: isSeveral ? { ...time, compared: null, sameDays: null } : time,
  });
  const answers = await answersOf(
    request,
    questions.filter((spec) => spec !== null),
  );
  return { answers, graph: { ...graph, groupBy, rows: [], ...(isFigure ? { kind: 'line' as const } : {}) } };
}

/** The same for a pivot, with as many levels as a tile has room for. */
export async function pivotAnswers(request: ViewRequest, choices: Choices): Promise<Partial<Arch>> {
  const pivot = request.arch.pivot as PivotArch;
  const rowGroups = (request.search.groupBy.length > 0 ? request.search.groupBy : pivot.rowGroups).slice(0, pivotRows);
  const columns = choices.get('columns');
  const wanted = columns === null ? pivot.columnGroups : columns === '-' ? [] : columns.split(',');
  const columnGroups = wanted.filter((name) => !rowGroups.includes(name)).slice(0, pivotColumns);
  const shown = chosenMeasures(request, pivot.measures, choices);
  const fields = shown.flatMap(asked);
  const money = request.query.convert ?? true;
  const domain = serializeDomain(request.search.domain);
  const time = timeOf(request, choices, domain, [...rowGroups, ...columnGroups]);
  const ask = (within: Domain) => pivotQuestion(within, rowGroups, columnGroups, fields, money);

  const { before, now } = changeQuestions(ask, domain, time);
  const answers = await answersOf(
    request,
    [ask(domain), before, now].filter((spec) => spec !== null),
  );
  const levels = { rows: rowGroups.length, columns: columnGroups.length };
  return { answers, pivot: { ...pivot, rowGroups, columnGroups, rows: [], levels } };
}

async function answersOf({ env, model }: ViewRequest, specs: readonly GroupSpec[]): Promise<readonly Answer[]> {
  const rows = (await readGroups(env, model, specs)) as GroupRow[][];
  return specs.map((spec, at) => ({ spec, rows: rows[at] ?? [] }));
}

function timeOf({ env, arch, query }: ViewRequest, choices: Choices, domain: Domain, groups: readonly string[]) {
  const searched = searchedFields(query.domain ? serializeDomain(query.domain) : [], arch.search);
  const field = dateFieldAmong(arch.fields, [...groups, ...searched]);
  const clock = { tokens: envTokens(env), tz: env.actor.tz };
  return analysisTime(domain, field, comparisonOf(choices.get('compare')), clock);
}

function comparisonOf(name: string | null): Comparison | null {
  return name === 'previous' || name === 'year' ? name : null;
}

function isByDate({ fields }: Arch, group: string): boolean {
  const field = fields.find(({ name }) => name === group.split(':', 1)[0]);
  return group.includes(':') && fieldType(field?.type).isDate;
}

/** Those in the URL, otherwise those of the view. */
function chosenMeasures(
  { env, arch, model }: ViewRequest,
  given: readonly MeasureArch[],
  choices: Choices,
): readonly GroupMeasure[] {
  const names = measureNames(choices.get('measure'));
  if (names.length === 0) return given;
  return names.map((name) => {
    const found = measureNamed(arch.fields, given, name);
    if (!found) throw new MissingMeasure(env, model, name);
    return found;
  });
}

/** The measure of the tile is not available to the user, or no longer exists: there is no fallback. */
export class MissingMeasure extends KontorError {
  constructor(env: Env, model: Model, name: string) {
    const path = name.split(':', 1)[0] as string;
    const field = model.fields.get(path);
    if (!field) super('INVALID_ARGS', text('This figure no longer exists.'), { field: path });
    else if (!mayReadField(env, field))
      super('ACCESS_DENIED', text('This figure is not available to you.'), { field: path });
    else
      super('INVALID_ARGS', text('{measure} cannot be measured this way.', { measure: field.label }), { field: path });
  }
}

/** Every row has its count. */
function asked({ name, field, measure }: GroupMeasure): readonly GroupMeasure[] {
  return measure === 'count' ? [] : [{ name, field, measure }];
}
