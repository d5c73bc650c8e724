import type { Domain, Measure, MoneyTotal, WorkspacePayload } from '@kontor/protocol';
import { readGroup } from '../data/rpc.ts';

interface SumQuestion {
  readonly domain: Domain;
  readonly by: string;
  /** The fields that are added up. */
  readonly names: readonly string[];
  /** The lookup key of a group value. */
  readonly keyOf: (value: unknown) => string;
}

/** Sums of some fields per group and currency, by group value. */
export async function sumByGroup(
  workspace: WorkspacePayload,
  { domain, by, names, keyOf }: SumQuestion,
): Promise<ReadonlyMap<string, Readonly<Record<string, readonly MoneyTotal[]>>>> {
  const { arch, model } = workspace;
  const groups = new Map<string, Record<string, MoneyTotal[]>>();
  for (const name of names) {
    const currency = arch.fields.find((field) => field.name === name)?.currency;
    if (!currency || currency === by) continue;
    const fields = [{ name, field: name, measure: measureOf(workspace, name) }];
    const rows = await readGroup(model, { domain, groupby: [by, currency], fields }, { isQuiet: true });
    for (const row of rows) {
      const key = keyOf(row[by]);
      const money = groups.get(key) ?? {};
      groups.set(key, money);
      const code = row[`${currency}.display_name`];
      const total = { currency: typeof code === 'string' ? code : null, value: (row[name] ?? 0) as number };
      money[name] = [...(money[name] ?? []), total];
    }
  }
  return groups;
}

function measureOf({ arch }: WorkspacePayload, name: string): Measure {
  const column = arch.list?.columns.find((one) => one.name === name);
  return column?.avg !== undefined && column.sum === undefined ? 'avg' : 'sum';
}
