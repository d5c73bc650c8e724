import { fieldType } from '@kontor/protocol';
import { currentCompany } from '../fields/default-sources.ts';
import type { FieldSpec, FieldType } from '../fields/spec.ts';
import type { LoadedRecord } from '../model/behaviour.ts';
import { defineModel, inheritModel } from '../model/define-model.ts';
import type { ModelDefinition } from '../model/definition.ts';
import { editable } from '../model/editable.ts';
import type { Env } from '../model/model.ts';
import { fields as looseFields } from './builders.ts';
import type { Field, FieldsOf, ManyKind } from './field.ts';
import type { ModelName } from './models.ts';

type Setting = Field<Exclude<FieldType, ManyKind>>;
type SettingMap = Readonly<Record<string, Setting>>;
/** For the page `crm.settings`, fields of the company start with `crm_`; on the page, their names have no prefix. */
type Prefix<M> = M extends `${infer Module}.settings` ? `${Module}_` : never;

interface BeginsWith<Start> {
  readonly 'name it after the module, beginning with': Start;
}
type Named<M, Map> = {
  readonly [Name in keyof Map]: Name extends `${Prefix<M>}${string}` ? Map[Name] : BeginsWith<Prefix<M>>;
};

/**
 * The fields of a settings page, for its interface.
 * ```ts
 * const shelfSettings = { shelf_height: fields.integer({ label: 'Height', required: true, default: 30 }) };
 * export interface ShelfSettings extends SettingsOf<'shelf.settings', typeof shelfSettings> {}
 * ```
 */
export type SettingsOf<M extends string, Map extends SettingMap> = FieldsOf<{
  readonly company_id: Field<'many2one', 'core.company', 'required' | 'default'>;
}> & { readonly [Name in keyof Map as Name extends `${Prefix<M>}${infer Short}` ? Short : never]: Shown<Map[Name]> };
type Shown<F> =
  F extends Field<infer Kind, infer Value, infer Traits>
    ? Field<Kind, Value, Exclude<Traits, 'default'> | 'computed' | 'stored' | 'editable'>
    : never;

/**
 * Settings per company: fields of `core.company`, and a page that shows and saves them. Users of the page need no rights on
 * companies. Returns both definitions.
 * ```ts
 * const deskSettings = { desk_days: fields.integer({ label: 'Days to answer', required: true, default: 3, min: 1 }) };
 * export interface DeskSettings extends SettingsOf<'desk.settings', typeof deskSettings> {}
 * declare module '@kontor/addon' {
 *   interface CoreCompany extends FieldsOf<typeof deskSettings> {}
 *   interface Models {
 *     'desk.settings': DeskSettings;
 *   }
 * }
 *
 * export const deskModels = companySettings('desk.settings', { label: 'Desk settings', fields: deskSettings });
 * ```
 */
export function companySettings<const M extends ModelName, const Map extends SettingMap>(
  name: M,
  { label, fields }: { readonly label: string; readonly fields: Map & Named<M, Map> },
): readonly ModelDefinition[] {
  const prefix = name.replace(/settings$/, '').replace('.', '_');
  const shortOf = new Map(Object.keys(fields).map((field) => [field, field.slice(prefix.length)]));
  const storeInCompany = async (
    env: Env,
    ids: readonly number[],
    isGiven: (short: string) => boolean,
  ): Promise<void> => {
    const kept = [...shortOf].filter(([, short]) => isGiven(short));
    const rows = await env.model(name).read(ids, ['company_id', ...kept.map(([, short]) => short)]);
    const companies = env.sudo().model('core.company');
    for (const row of rows) {
      const values = Object.fromEntries(kept.map(([field, short]) => [field, row[short]]));
      await companies.write([row.company_id as number], values);
    }
  };
  const page = defineModel(name, {
    label,
    transient: true,
    fields: {
      company_id: looseFields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
      ...Object.fromEntries([...shortOf].map(([field, short]) => [short, pageField(fields[field] as FieldSpec)])),
    },
    computes: Object.fromEntries([...shortOf].map(([field, short]) => [short, readFromCompany(field)])),
    hooks: {
      afterCreate: ({ env, ids }) => storeInCompany(env, ids, () => true),
      afterWrite: ({ env, ids, values }) => storeInCompany(env, ids, (short) => short in values),
    },
  });
  return [inheritModel('core.company', { fields }), page];
}

function pageField({ default: _, ...spec }: FieldSpec): FieldSpec {
  const relation = { checkCompany: true, ondelete: 'set null' } as const;
  return { ...spec, ...editable, ...(fieldType(spec.type).isToOne && relation) };
}

function readFromCompany(field: string) {
  return {
    depends: [`company_id.${field}`],
    value: ({ company_id: company }: LoadedRecord) => (company as LoadedRecord | null)?.[field],
  };
}
