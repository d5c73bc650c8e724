import { type CreateValues, type Env, text, wordsIn } from '@kontor/addon';
import { union } from './treatment.ts';

/** Why no tax is charged, in the words of the law of each country: for reverse charge, and for exports. */
const notes: Readonly<Record<string, { readonly reverse?: string; readonly export: string }>> = {
  AT: {
    reverse: 'Übergang der Steuerschuld auf den Leistungsempfänger (Reverse charge)',
    export: 'Steuerfreie Ausfuhrlieferung (§ 7 UStG)',
  },
  BE: {
    reverse: 'Autoliquidation – Btw verlegd (Reverse charge)',
    export: 'Exportation exonérée de TVA (art. 39 CTVA)',
  },
  CH: { export: 'Von der Steuer befreite Leistung im Ausland (Art. 23 MWSTG)' },
  CZ: { reverse: 'Daň odvede zákazník (Reverse charge)', export: 'Vývoz osvobozený od daně' },
  DE: {
    reverse: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse charge)',
    export: 'Steuerfreie Ausfuhrlieferung (§ 4 Nr. 1a, § 6 UStG)',
  },
  DK: { reverse: 'Omvendt betalingspligt (Reverse charge)', export: 'Momsfri eksport' },
  ES: { reverse: 'Inversión del sujeto pasivo (Reverse charge)', export: 'Exportación exenta (art. 21 LIVA)' },
  FI: { reverse: 'Käännetty verovelvollisuus (Reverse charge)', export: 'Veroton vienti' },
  FR: { reverse: 'Autoliquidation (Reverse charge)', export: 'Exonération de TVA, art. 262 I du CGI' },
  GB: { export: 'Zero-rated export, or outside the scope of UK VAT' },
  GR: { reverse: 'Αντίστροφη επιβάρυνση (Reverse charge)', export: 'Εξαγωγή, απαλλαγή από ΦΠΑ' },
  HU: { reverse: 'Fordított adózás (Reverse charge)', export: 'Adómentes export' },
  IE: { reverse: 'Reverse charge', export: 'Zero-rated export' },
  IT: {
    reverse: 'Inversione contabile (Reverse charge)',
    export: 'Operazione non imponibile (art. 8 DPR 633/1972)',
  },
  LI: { export: 'Von der Steuer befreite Leistung im Ausland (Art. 23 MWSTG)' },
  LU: { reverse: 'Autoliquidation (Reverse charge)', export: 'Exportation exonérée de TVA' },
  NL: { reverse: 'Btw verlegd (Reverse charge)', export: 'Uitvoer, btw 0 %' },
  NO: { export: 'Avgiftsfri utførsel (mval. § 6-21)' },
  PL: { reverse: 'Odwrotne obciążenie (Reverse charge)', export: 'Eksport, stawka 0 %' },
  PT: { reverse: 'IVA – autoliquidação (Reverse charge)', export: 'Isento, art. 14.º do CIVA' },
  SE: { reverse: 'Omvänd betalningsskyldighet (Reverse charge)', export: 'Momsfri export' },
};

type Position = CreateValues<'sale.tax.position'>;

/** Gives a company the tax positions of its country, named in its language; a company that has some keeps them. */
export async function givePositions(env: Env, company: number, { code, lang }: { code: string; lang: string }) {
  const positions = env.model('sale.tax.position');
  if ((await positions.count([['company_id', '=', company]])) > 0) return;
  const own = notes[code];
  const isMember = union.has(code);
  if (!own && !isMember) return;
  const { say } = wordsIn(env, lang, 'sale');
  const reverse: Position = {
    ...{ name: say(text('Business in the European Union')), area: 'union', treatment: 'reverse', sequence: 10 },
    ...{ needs_tax_id: true, note: own?.reverse ?? 'Reverse charge' },
  };
  const abroad: Position = {
    ...{ name: say(text('Abroad')), area: 'abroad', treatment: 'export', sequence: 20 },
    note: own?.export ?? null,
  };
  const exempt: Position = { name: say(text('Exempt from tax')), area: 'chosen', treatment: 'exempt', sequence: 30 };
  await positions.createMany(
    [...(isMember ? [reverse] : []), abroad, exempt].map((values) => ({ ...values, company_id: company })),
  );
}
