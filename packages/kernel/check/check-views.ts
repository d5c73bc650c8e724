import type { Registry } from '@kontor/orm';
import {
  baseOf,
  type CheckContext,
  checkView,
  composeStoredView,
  type DependsOf,
  type ReferenceKind,
  type StoredView,
  ViewError,
  type Widgets,
} from '@kontor/views';
import type { Catalogue } from '../addons/catalogue.ts';
import { dependsOf } from '../addons/catalogue.ts';
import type { DataRecord } from '../addons/data/data-record.ts';
import { actionNode, referenceKinds, toAddonError } from '../addons/data/xml-view-loader.ts';
import { textOf } from './check-models.ts';
import type { Findings } from './findings.ts';

export interface ViewsCheck {
  readonly catalogue: Catalogue;
  readonly registry: Registry;
  readonly widgets: Widgets;
  readonly viewTypes: ReadonlySet<string>;
  /** Of all modules, in load order. */
  readonly records: readonly DataRecord[];
  readonly isChecked: (module: string) => boolean;
  readonly findings: Findings;
}

/** Composes the views of data files as the database would, and checks them and the actions against the registry. */
export function checkFileViews(check: ViewsCheck): void {
  const { records, isChecked, catalogue } = check;
  const report = (error: ViewError) => check.findings.error('views', toAddonError(error));
  const context: CheckContext = { ...check, names: namesIn(records), report };
  for (const record of records) {
    if (record.model === 'sys.action.window' && isChecked(record.place.addon)) checkView(actionNode(record), context);
  }
  const views = storedViews(records);
  const modulesBelow = dependsIn(catalogue);
  const bases = new Set<number>();
  for (const view of views) {
    if (!isChecked(view.module)) continue;
    try {
      bases.add(baseOf(views, view.id).id);
    } catch (error) {
      if (error instanceof ViewError) report(error);
    }
  }
  for (const base of bases) {
    try {
      checkView(composeStoredView(views, base, modulesBelow, report), context);
    } catch (error) {
      if (!(error instanceof ViewError)) throw error;
      report(error);
    }
  }
}

export function dependsIn(catalogue: Catalogue): DependsOf {
  return (module) => {
    const addon = catalogue.get(module);
    return addon ? dependsOf(addon, catalogue) : [];
  };
}

/** External ids by kind, as views name them. */
export function namesIn(records: readonly DataRecord[]): CheckContext['names'] {
  const names = new Map<ReferenceKind, Set<string>>(Object.values(referenceKinds).map((kind) => [kind, new Set()]));
  for (const { model, id } of records) {
    const kind = referenceKinds[model];
    if (kind) names.get(kind)?.add(id);
  }
  return (kind) => names.get(kind) ?? new Set();
}

/** The rows of sys.view; an inherit of an unknown view is left out, and its reference is reported. */
export function storedViews(records: readonly DataRecord[]): readonly StoredView[] {
  const views = records.filter(({ model }) => model === 'sys.view');
  const ids = new Map(views.map(({ id }, index) => [id, index + 1]));
  return views.flatMap((record) => {
    const value = (name: string) => record.fields.find((field) => field.name === name)?.value;
    const inherit = value('inherit_id');
    const parent = inherit?.kind === 'refs' ? inherit.refs[0] : undefined;
    const priority = value('priority');
    if (parent !== undefined && !ids.has(parent)) return [];
    return [
      {
        id: ids.get(record.id) as number,
        key: record.id,
        arch: textOf(record, 'arch') ?? '',
        inheritId: parent === undefined ? null : (ids.get(parent) as number),
        priority: priority?.kind === 'json' ? Number(priority.json) : 16,
        module: record.place.addon,
        file: record.place.file,
        line: record.place.line,
      },
    ];
  });
}
