import { currentCompany, defineModel, type FieldSpec, inheritModel, type ModelDefinition } from '@kontor/orm';
import { type AddedModel, linesField, wholeField } from './added-model.ts';
import type { CustomDocument } from './document.ts';

/** Added models as `defineModel` and `inheritModel` would return them in the code of an addon, without the fields of `extends`. */
export function addedDefinitions({ models = {} }: CustomDocument): readonly ModelDefinition[] {
  return Object.entries(models).flatMap(([name, model]) => {
    const own = defineModel(name, {
      label: model.label,
      order: model.partOf ? 'id' : 'name, id',
      ...(model.number && { displayName: '{name} ({number})' }),
      fields: standardFields(name, model),
      ...(model.partOf || model.company ? {} : { noCompany: 'Shared by all companies.' }),
      ...(model.chatter && { chatter: true }),
      ...(model.partOf ? { partOf: wholeField } : { indexes: ['name, id'] }),
    });
    if (!model.partOf) return [own];
    const lines: FieldSpec = { type: 'one2many', label: model.partOf.label, relation: name, inverse: wholeField };
    return [own, inheritModel(model.partOf.model, { fields: { [linesField(name)]: lines } })];
  });
}

/** The fields that a model has by its properties. */
export function standardFields(name: string, model: AddedModel): Readonly<Record<string, FieldSpec>> {
  const { number, partOf, chatter, title = 'Name' } = model;
  return {
    ...(number && {
      number: { type: 'char', label: 'Number', size: 64, required: true, readonly: true, default: numberSource(name) },
    }),
    ...(partOf && {
      [wholeField]: {
        ...{ type: 'many2one', label: 'Belongs to', relation: partOf.model, required: true, ondelete: 'cascade' },
      },
    }),
    name: {
      type: 'char',
      label: title,
      size: 200,
      ...(!partOf && { required: true }),
      ...(chatter && { tracking: true }),
    },
    ...(model.company && {
      company_id: { type: 'many2one', label: 'Company', relation: 'core.company', default: currentCompany },
    }),
    ...(model.archive && { active: { type: 'boolean', label: 'Active', default: true } }),
  };
}

function numberSource(code: string) {
  return { source: 'sequence', code } as const;
}
