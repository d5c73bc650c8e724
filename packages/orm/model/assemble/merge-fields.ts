import type { FieldSpec } from '../../fields/spec.ts';
import type { ModelDefinition } from '../definition.ts';
import { isSystemName, memberNameFault } from '../names.ts';
import type { Draft } from './draft.ts';
import type { Problems } from './problems.ts';

/** What an extension may not change: rows that exist would no longer fit. */
const fixed = ['type', 'relation', 'inverse'] as const;

export function mergeFields(draft: Draft, module: string, definition: ModelDefinition, problems: Problems): void {
  for (const [name, spec] of Object.entries(definition.fields)) {
    const at = { module, model: draft.name, field: name };
    const fault = isSystemName(name) ? 'every model has this field by itself' : memberNameFault(name);
    if (fault !== null) {
      problems.add(at, `${fault}.`);
      continue;
    }
    const previous = draft.fields.get(name);
    if (previous === undefined) {
      draft.fields.set(name, { module, value: spec });
      continue;
    }
    const changed = fixed.find((key) => spec[key] !== undefined && spec[key] !== previous.value[key]);
    if (changed !== undefined) {
      const was = previous.value[changed] ?? 'nothing';
      problems.add(at, `its ${changed} is ${was} in module ${previous.module} and cannot become ${spec[changed]}.`);
      continue;
    }
    draft.fields.set(name, { module: previous.module, value: override(previous.value, spec) });
  }
}

/** Attributes that are given win; the options of a selection are added to those there. */
function override(previous: FieldSpec, spec: FieldSpec): FieldSpec {
  const selection = spec.selection && Object.freeze({ ...previous.selection, ...spec.selection });
  return Object.freeze({ ...previous, ...spec, ...(selection ? { selection } : {}) });
}
