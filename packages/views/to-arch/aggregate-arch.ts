import { type CohortArch, type GraphArch, type MeasureArch, measures, type PivotArch } from '@kontor/protocol';
import { hasMeasure, isGroupable, usualMeasure } from '../field-traits.ts';
import type { ViewNode } from '../view-node.ts';
import { type ArchScope, addField, isForViewer, neededField, readableField } from './arch-scope.ts';
import { valuesOf } from './values-of.ts';

function count({ translate }: ArchScope): MeasureArch {
  return { name: 'id:count', field: 'id', measure: 'count', label: translate('Count') };
}

export function graphArch(scope: ArchScope, node: ViewNode): GraphArch {
  const values = valuesOf(scope, node, 'graph');
  mentionAll(scope);
  return {
    kind: (values.kind as GraphArch['kind'] | undefined) ?? 'bar',
    stacked: values.stacked !== false,
    groupBy: axis(scope, node, 'group-by'),
    measures: measuresOf(scope, node),
    rows: [],
  };
}

export function pivotArch(scope: ArchScope, node: ViewNode): PivotArch {
  mentionAll(scope);
  return {
    rowGroups: axis(scope, node, 'row'),
    columnGroups: axis(scope, node, 'column'),
    measures: measuresOf(scope, node),
    rows: [],
    levels: { rows: 0, columns: 0 },
  };
}

export function cohortArch(scope: ArchScope, node: ViewNode): CohortArch {
  const values = valuesOf(scope, node, 'cohort');
  mentionAll(scope);
  return {
    start: neededField(scope, values.start),
    stop: neededField(scope, values.stop),
    interval: (values.interval as CohortArch['interval'] | undefined) ?? 'month',
    // Retention makes sense only for measures that add up.
    measure: measuresOf(scope, node).find(({ measure }) => measure === 'sum' || measure === 'count') ?? count(scope),
    rows: [],
    cells: [],
  };
}

/** Users choose measures and groups on screen, from all that exist. */
function mentionAll(scope: ArchScope): void {
  for (const name of scope.model.fields.keys()) {
    const field = readableField(scope, name);
    if (field && (isGroupable(field) || field.kind.isNumber)) addField(scope, field);
  }
}

/** Groups as `read_group` takes them; dates without an interval by month. */
function axis(scope: ArchScope, node: ViewNode, tag: 'group-by' | 'row' | 'column'): readonly string[] {
  return node.children
    .filter((child) => child.tag === tag && isForViewer(scope, child))
    .flatMap((child) => {
      const values = valuesOf(scope, child, tag);
      const field = readableField(scope, String(values.name));
      if (!field) return [];
      return field.kind.isDate ? [`${field.name}:${values.interval ?? 'month'}`] : [field.name];
    });
}

function measuresOf(scope: ArchScope, node: ViewNode): readonly MeasureArch[] {
  const shown = node.children
    .filter((child) => child.tag === 'measure' && isForViewer(scope, child))
    .flatMap((child) => {
      const values = valuesOf(scope, child, 'measure');
      const field = readableField(scope, String(values.name));
      const measure = field && measures.find((known) => known === (values.measure ?? usualMeasure(field)));
      if (!field || !measure || !hasMeasure(field, measure)) return [];
      const label = String(values.label ?? field.label);
      return [{ name: `${field.name}:${measure}`, field: field.name, measure, label }];
    });
  return shown.length > 0 ? shown : [count(scope)];
}
