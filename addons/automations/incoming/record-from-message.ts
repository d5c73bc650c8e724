import { anyModel, type Env } from '@kontor/addon';
import { actingFor, type Rule } from '../running/rule.ts';

/** The record of a message: the one with the same value of the matching field, or a new one. Null without usable values. */
export async function recordFromMessage(env: Env, rule: Rule, payload: unknown): Promise<number | null> {
  const values = (typeof payload === 'object' && payload !== null ? payload : {}) as Readonly<Record<string, unknown>>;
  if (Object.keys(values).length === 0) return null;
  const author = await actingFor(env, rule);
  if (!author) return null;
  const records = anyModel(author, rule.model);
  if (rule.when.match !== null && values[rule.when.match] !== undefined) {
    const [known] = await records.search([[rule.when.match, '=', values[rule.when.match]]] as never, {
      order: 'id',
      limit: 1,
    });
    if (known !== undefined) {
      await records.write([known], values);
      return known;
    }
  }
  return records.create(values);
}
