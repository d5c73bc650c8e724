import { chooseOne } from '@kontor/protocol';
import { isDefaultSource } from '../fields/default-sources.ts';
import type { MailPart } from '../model/mail-spec.ts';
import type { Model } from '../model/model.ts';
import { neededFields } from '../model/required-fields.ts';
import { companyValueFault } from './check-field.ts';
import type { Draft, Drafts } from './draft.ts';
import type { FieldTable } from './path.ts';
import type { Problems } from './problems.ts';

/** The types of the fields that each part of an e-mail fits. */
const fitting: Readonly<Record<MailPart, readonly string[]>> = {
  subject: ['char', 'text'],
  body: ['html'],
  sender_name: ['char', 'text'],
  sender_email: ['char'],
  contact: ['many2one'],
};

/** The alias must be usable as an address, and what it creates must be complete. */
export function checkMail({ name, mail }: Draft, model: Model, table: FieldTable, problems: Problems): void {
  if (mail === null) return;
  const { alias, creates } = mail.value;
  const report = (message: string) => problems.add({ module: mail.module, model: name }, `mail ${message}`);
  if (!/^[a-z0-9](?:[a-z0-9._-]{0,38}[a-z0-9])?$/.test(alias)) {
    report(
      `alias "${alias}" is not the first part of an address: use small letters, digits, and dots or dashes between them.`,
    );
  }
  if (model.chatter === null) report('needs chatter: true, where the e-mails are shown.');
  for (const [field, source] of Object.entries(creates)) {
    const fault = sourceFault(model, field, source, table);
    if (fault !== null) report(`creates "${field}": ${fault}`);
  }
  for (const { name: needed } of neededFields(model)) {
    // The company is that of the mailbox.
    if (needed !== 'company_id' && !Object.hasOwn(creates, needed))
      report(`creates nothing for "${needed}", which is required and has no default.`);
  }
}

/** Two models cannot share an alias. */
export function checkAliases(drafts: Drafts, problems: Problems): void {
  const owners = new Map<string, string>();
  for (const { name, mail } of drafts.values()) {
    if (mail === null) continue;
    const other = owners.get(mail.value.alias);
    if (other !== undefined)
      problems.add({ module: mail.module, model: name }, `mail alias "${mail.value.alias}" is that of ${other}.`);
    owners.set(mail.value.alias, name);
  }
}

function sourceFault({ fields }: Model, name: string, source: unknown, table: FieldTable): string | null {
  const field = fields.get(name);
  if (!field) return `there is no such field.${chooseOne(name, fields.keys())}`;
  if (!field.isStored || (field.spec.computed && !field.isEditable)) return 'its value is computed.';
  if (isDefaultSource(source) && source.source === 'company-value') {
    return companyValueFault(field, source.field, table, 'its source');
  }
  const types = typeof source === 'string' && Object.hasOwn(fitting, source) ? fitting[source as MailPart] : null;
  if (types === null) {
    const hint = typeof source === 'string' ? chooseOne(source, Object.keys(fitting)) : '';
    return `its source is neither a part of an e-mail nor companyValue(…).${hint}`;
  }
  if (!types.includes(field.spec.type))
    return `the ${source} is for ${types.join(' or ')} fields. Declare it as fields.${types[0]}, or leave it out.`;
  if (source === 'contact' && field.spec.relation !== 'core.partner') return 'the contact is a record of core.partner.';
  return null;
}
