import { directionOf, languageTag } from '@kontor/kernel';
import { toHtml } from '../texts/render-text.ts';
import { type MailFrame, usualColour } from './company-frame.ts';

export interface MailPage {
  readonly lang: string;
  readonly subject: string;
  /** Plain text. */
  readonly paragraphs: readonly string[];
  /** Instead of the paragraphs: HTML of the plain elements that `styledHtml` knows, with escaped texts. */
  readonly html?: string | undefined;
  readonly signature?: string;
  /** Instead of the signature, as `html`. */
  readonly signatureHtml?: string | undefined;
  readonly button: { readonly label: string; readonly href: string } | null;
  readonly note: string;
  /** The subject as a heading. */
  readonly hasTitle?: boolean;
  /** Null: that of Kontor. */
  readonly frame?: MailFrame | null;
  /** The address of the logo; null: its company has none. */
  readonly logo?: string | null;
  readonly unsubscribe?: { readonly label: string; readonly href: string } | null;
}

/** The client's own colours, written out: mail knows neither tokens nor style sheets, and some programs no `div`. */
const styles = {
  body: 'margin:0;padding:0;background:#f6f6f3;color:#1d2226;font-family:Inter,-apple-system,"Segoe UI",Arial,sans-serif;font-size:15px;line-height:1.55',
  room: 'padding:32px 16px',
  outer: 'max-width:600px;width:100%;margin:0 auto;border-spacing:0',
  head: 'padding:0 4px 16px;font-weight:600;font-size:15px',
  mark: 'display:inline-block;width:28px;height:28px;margin-inline-end:10px;border-radius:7px;background:#0e6273;color:#ffffff;font-weight:700;line-height:28px;text-align:center;vertical-align:middle',
  logo: 'display:block;max-height:48px;max-width:220px;height:auto;border:0',
  card: 'padding:28px;background:#ffffff;border:1px solid #e4e3dd;border-radius:12px',
  title: 'margin:0 0 16px;font-size:19px;line-height:1.35;font-weight:600',
  paragraph: 'margin:0 0 14px;overflow-wrap:anywhere',
  list: 'margin:0 0 14px;padding-inline-start:24px;overflow-wrap:anywhere',
  quote: 'margin:0 0 14px;padding-inline-start:12px;border-inline-start:3px solid #e4e3dd;color:#5a6269',
  code: 'margin:0 0 14px;white-space:pre-wrap;font-family:Consolas,monospace;font-size:13px',
  signature: 'margin:22px 0 0;color:#5a6269;overflow-wrap:anywhere',
  buttonLine: 'margin:22px 0 6px',
  address: 'margin:12px 0 0;color:#646c73;font-size:12px;overflow-wrap:anywhere',
  note: 'margin:20px 0 0;padding-top:16px;border-top:1px solid #e4e3dd;color:#5a6269;font-size:13px',
  foot: 'padding:16px 4px 0;color:#646c73;font-size:12px;line-height:1.5;overflow-wrap:anywhere',
} as const;

/** For programs with a dark theme; others ignore it. Outlook on the web marks its dark theme with an attribute. */
const dark: Readonly<Record<string, string>> = {
  '.k-page': 'background:#14171a!important;color:#e8eaec!important',
  // The line above it keeps the colour of the company.
  '.k-card':
    'background:#1d2125!important;color:#e8eaec!important;border-right-color:#343a40!important;border-bottom-color:#343a40!important;border-left-color:#343a40!important',
  '.k-mut': 'color:#a6adb4!important;border-color:#343a40!important',
  '.k-link': 'color:#8fd0dd!important',
  '.k-logo': 'background:#ffffff!important;padding:6px!important;border-radius:6px!important',
};
const darkRules = (before: string) =>
  Object.entries(dark)
    .map(([name, style]) => `${before}${name}{${style}}`)
    .join('');
const styleSheet = `:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){${darkRules('')}}${darkRules('[data-ogsc] ')}`;

/** The HTML of a mail: tables and inline styles, which the usual programs show alike. All values are escaped. */
export function mailPage(page: MailPage): string {
  const { lang, subject, paragraphs, html, signature = '', signatureHtml, button, note, unsubscribe = null } = page;
  const { frame = null, hasTitle = true } = page;
  const colour = frame?.colour ?? usualColour;
  const direction = directionOf(lang);
  const signed = signatureHtml ?? (signature === '' ? '' : `<p style="margin:0">${inLines(signature)}</p>`);
  const parts = [
    ...(hasTitle ? [`<h1 style="${styles.title}">${toHtml(subject)}</h1>`] : []),
    html === undefined
      ? paragraphs.map((text) => `<p style="${styles.paragraph}">${inLines(text)}</p>`).join('')
      : styledHtml(html, colour),
    ...(button ? [buttonOf(button.label, button.href, colour)] : []),
    ...(signed ? [`<div class="k-mut" style="${styles.signature}">${styledHtml(signed, colour)}</div>`] : []),
    ...(note || unsubscribe ? [`<p class="k-mut" style="${styles.note}">${noteOf(note, unsubscribe)}</p>`] : []),
  ];
  const bar = frame ? `;border-top:4px solid ${colour}` : '';
  return (
    `<!doctype html><html lang="${languageTag(lang)}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${toHtml(subject)}</title><style>${styleSheet}</style></head>` +
    `<body class="k-page" style="${quoted(styles.body)}"><table role="presentation" class="k-page" dir="${direction}" width="100%" cellpadding="0" cellspacing="0" border="0" style="${quoted(styles.body)}"><tr><td align="center" style="${styles.room}">` +
    `<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" align="center" style="${styles.outer}">` +
    `<tr><td align="${direction === 'rtl' ? 'right' : 'left'}" style="${styles.head}">${headOf(page)}</td></tr>` +
    `<tr><td class="k-card" align="${direction === 'rtl' ? 'right' : 'left'}" style="${styles.card}${bar}">${parts.join('')}</td></tr>${footOf(frame, direction)}</table></td></tr></table></body></html>`
  );
}

function headOf({ frame = null, logo = null }: MailPage): string {
  if (frame === null) return `<span style="${styles.mark}" aria-hidden="true">K</span>Kontor`;
  const name = toHtml(frame.name);
  const shown =
    logo === null
      ? name
      : `<img class="k-logo" src="${toHtml(logo)}" alt="${name}" height="48" style="${styles.logo}">`;
  if (frame.website === null) return shown;
  return `<a class="k-link" href="${toHtml(frame.website)}" style="color:${frame.colour};text-decoration:none">${shown}</a>`;
}

function footOf(frame: MailFrame | null, direction: string): string {
  if (frame === null || frame.lines.length === 0) return '';
  const side = direction === 'rtl' ? 'right' : 'left';
  return `<tr><td class="k-mut" align="${side}" style="${styles.foot}">${frame.lines.map((line) => `<span dir="auto">${toHtml(line)}</span>`).join('<br>')}</td></tr>`;
}

function noteOf(note: string, link: MailPage['unsubscribe']): string {
  const said = link
    ? `<a class="k-mut" href="${toHtml(link.href)}" style="color:#5a6269">${toHtml(link.label)}</a>`
    : '';
  return [toHtml(note), said].filter((each) => each !== '').join(' ');
}

function inLines(text: string): string {
  return toHtml(text).replaceAll('\n', '<br>');
}

/** The elements of light Markdown with their styles. Their texts are escaped, so that nothing else looks like one of them. */
function styledHtml(html: string, colour: string): string {
  return html
    .replaceAll('<p>', `<p style="${styles.paragraph}">`)
    .replaceAll(/<(ul|ol)>/g, `<$1 style="${styles.list}">`)
    .replaceAll('<blockquote>', `<blockquote class="k-mut" style="${styles.quote}">`)
    .replaceAll('<pre>', `<pre style="${styles.code}">`)
    .replaceAll('<a href=', `<a class="k-link" style="color:${colour}" href=`);
}

/** For mail programs that show no button, the address can be copied. */
function buttonOf(label: string, href: string, colour: string): string {
  const target = toHtml(href);
  const face = `display:inline-block;padding:11px 20px;background:${colour};color:${inkOn(colour)};border-radius:7px;font-weight:600;text-decoration:none`;
  return (
    `<p style="${styles.buttonLine}"><a href="${target}" style="${face}">${toHtml(label)}</a></p>` +
    `<p class="k-mut" style="${styles.address}"><a class="k-link" href="${target}" style="color:${colour}">${target}</a></p>`
  );
}

/** Black or white, whichever is read better on the colour (WCAG relative luminance). */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

function quoted(style: string): string {
  return style.replaceAll('"', '&quot;');
}
