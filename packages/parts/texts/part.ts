import { type DataField, type DataRecord, definePart } from '@kontor/kernel';
import type { TextDefinition } from '@kontor/orm';
import { sysText, sysTextEdit } from './text-models.ts';

/** Texts of addons that administrators may change. */
export const textsPart = definePart({
  name: 'texts',
  models: [sysText, sysTextEdit],
  records: (module, { texts }) => texts.map((each) => textRecord(module, each)),
});

/** A row for each text, as if from a data file: created by the install, updated by an upgrade, removed by the uninstall. */
function textRecord(module: string, { key, label }: TextDefinition): DataRecord {
  const place = { addon: module, file: 'addon.ts', line: 1 };
  const name = key.slice(key.indexOf('.') + 1).replaceAll(/[^a-z0-9]+/g, '_');
  const fields = Object.entries({ key, name: label, module }).map(
    ([field, value]): DataField => ({ name: field, value: { kind: 'text', text: value }, line: place.line }),
  );
  return { place, id: `${module}.text_${name}`, model: 'sys.text', noupdate: false, fields };
}
