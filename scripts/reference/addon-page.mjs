import { property, wholeFile } from './examples.mjs';
import { section, told } from './sections.mjs';

const bring = (name, file = 'define-addon') => [[`packages/kernel/addons/${file}.ts`, name]];
const code = (path) => property('addon.ts', path);
const addon = wholeFile('addon.ts');

/** The text of docs/reference/addon.md. */
export function addonPage() {
  return `# Contents of an addon

${[
  section({
    title: 'manifest.json',
    options: [[['packages/kernel/addons/manifest.ts', 'ManifestFile']]],
    language: 'json',
    examples: [wholeFile('manifest.json')],
  })
    .replaceAll(' **Required.** |', ' |')
    .replace(/(\| `(?:name|label|version)` \| [^|]*) \|/g, '$1 **Required.** |'),
  section({
    title: 'defineAddon',
    text: 'The default export of `addon.ts`. It is a declaration; importing it has no side effects.',
    options: [bring('AddonSpec')],
    examples: [code('models')],
    also: [addon],
  }),
  told({
    title: 'Routes',
    options: [bring('RouteSpec', 'route-spec'), bring('LargeBody', 'route-spec')],
    examples: [code('routes')],
  }),
  told({
    title: 'Requests and answers of routes',
    options: [bring('RouteRequest', 'route-spec'), bring('RouteAnswer', 'route-spec')],
    examples: [/^async function showBike[\s\S]*?^\}/m.exec(addon)[0]],
    also: [code('routes')],
  }),
  told({
    title: 'Jobs',
    text: 'Scheduled work. `run` is one unit of work; use `runInSteps` for long jobs. A row of `sys.cron` has the schedule (`interval_number` and `interval_unit`, or `expression` in cron syntax, in `timezone`; a smaller `priority` runs first). One process runs a due job, and failures are retried with growing pauses.',
    options: [bring('UnitJobSpec'), bring('SteppedJobSpec'), bring('JobCall')],
    examples: [code('jobs')],
  }).concat(`\n\n\`data/30-jobs.xml\`:\n\n\`\`\`xml\n${wholeFile('data/30-jobs.xml')}\n\`\`\``),
  told({
    title: 'Workers',
    text: 'Background work that follows changes. A worker runs at the start, soon after every change, and every few seconds, in every process that runs jobs. `changesAfter` returns the changes, `outsideRequests` sends requests to other servers.',
    options: [bring('WorkerSpec'), bring('WorkerCall')],
    examples: [code('workers')],
  }),
  told({
    title: 'Queues',
    text: 'Work that waits in records until it is done, such as a request to another server. A record is claimed by one process at a time, under a lease that is extended while the work runs. A try counts when the record is claimed: one that kills its process is given up after its last try. The model includes `...queueFields`, which only the queue writes, without history or events, and `queueIndexes`. `/metrics` shows how many records wait, run and were given up. Rows of a `quiet` model, and rows written past `env.model`, need `wakeQueue(env, model)` to be found at once instead of within five seconds.',
    options: [
      [['packages/kernel/addons/define-queue.ts', 'QueueSpec']],
      [['packages/kernel/addons/define-queue.ts', 'QueueRoom']],
      [['packages/kernel/addons/define-queue.ts', 'QueueTarget']],
      [['packages/kernel/addons/define-queue.ts', 'QueueTries']],
      [['packages/kernel/addons/define-queue.ts', 'QueueEnd']],
    ],
    examples: [code('queues'), wholeFile('models/label.ts')],
  }),
  `## Mail

\`composeMail\` creates a mail, \`queueMail\` adds it to the queue in the current transaction: it is sent after the commit, and retried if the recipient's
server is busy. Its text is declared with \`defineText\`, so that administrators can change it; \`renderText\` returns it in the language of a reader.

${told({
  title: 'x',
  options: [
    [['packages/parts/mail/compose-mail.ts', 'MailContent']],
    [['packages/orm/author/define-text.ts', 'TextSpec']],
    [['packages/orm/model/text-definition.ts', 'PlaceholderSpec']],
  ],
  examples: [wholeFile('tell-owner.ts')],
}).replace('## x\n\n', '')}`,
  `## Sequences

\`default: sequence('workshop.repair')\` numbers records from the sequence with that code; a sequence with a \`company_id\` is for that company. A
\`gapless\` sequence has no gaps, but only one transaction can use it at a time. A \`yearly\` one is gapless and starts again each year, in each
company for itself: the row of each year is created with its first number. In \`sets\` of a move, \`sequence('workshop.bill', { on: 'billed_on' })\` numbers
records that have no number when they move, by the year of that date; a code such as \`'invoice.{type}'\` takes values of the record.

\`\`\`ts
${/^ {2}name: fields.char.*$/m.exec(wholeFile('models/repair.ts'))[0].trim()}
\`\`\`

\`data/20-sequence.xml\`:

\`\`\`xml
${wholeFile('data/20-sequence.xml')}
\`\`\``,
  told({
    title: 'Install hooks',
    options: [bring('AddonHooks')],
    text: 'They run in the transaction of the install, upgrade or uninstall, under sudo; an exception rolls everything back.',
    examples: [code('hooks')],
  }),
  told({
    title: 'Migrations',
    text: 'Bring the data of an earlier version into the form of this one; see [writing-an-addon.md](../writing-an-addon.md#12-the-next-version).',
    options: [bring('MigrationCall')],
    examples: [code('migrations')],
  }),
  section({
    title: 'Automations',
    text: 'They become records that administrators can change or disable.',
    options: [bring('AutomationSpec')],
    examples: [code('automations')],
  }),
  section({
    title: 'Observers',
    options: [bring('ObserverSpec')],
    text: 'They receive the changes of a unit of work, in its transaction before it commits; an exception rolls everything back.',
    examples: [code('observers')],
  }),
  section({
    title: 'Watchers',
    options: [bring('WatcherSpec')],
    text: 'They receive the changes that records ask for, before observers do; what they change is observed too.',
    examples: [code('watchers')],
  }),
  section({
    title: 'Notices',
    text: 'Kinds of notifications; each user chooses in the profile how to receive them.',
    options: [bring('NoticeSpec')],
    examples: [/^const lateNotice.*$/m.exec(addon)[0], code('notices')],
  }),
  section({
    title: 'Texts',
    text: 'What the addon mails and prints, with placeholders. Administrators change texts for a language or a company; see [mail](#mail).',
    options: [],
    examples: [code('texts')],
  }),
  section({
    title: 'Records that leave with a customisation',
    text: '*Export as addon* writes them as data, and an import makes them again in the name of the person who imports.',
    options: ['CarriedRecords', 'CarriedNames'].map((name) => [['packages/kernel/addons/carried-records.ts', name]]),
    examples: [code('carries')],
  }),
  section({
    title: 'Followed records',
    text: 'Recent changes by others to records that a user follows, for their home screen.',
    options: [],
    examples: [code('followed')],
  }),
  section({
    title: 'Custom widgets and view types',
    text: 'Implemented in the folder `client/`; see [writing-an-addon.md](../writing-an-addon.md#8-in-the-browser). Views can use them once they are declared here.',
    options: [[['packages/views/grammar/widgets.ts', 'WidgetSpec']], bring('ClientViewSpec')],
    examples: [code('widgets'), code('views')],
  }),
].join('\n\n')}
`;
}
