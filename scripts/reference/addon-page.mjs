import { property, wholeFile } from './examples.mjs';
import { section, told } from './sections.mjs';

const bring = (name) => [['packages/kernel/addons/define-addon.ts', name]];
const code = (path) => property('addon.ts', path);
const addon = wholeFile('addon.ts');

/** The text of docs/reference/addon.md. */
export function addonPage() {
  return `# What an addon brings

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
    text: 'The default export of `addon.ts`. It says what there is; importing it does nothing.',
    options: [bring('AddonSpec')],
    examples: [code('models')],
    also: [addon],
  }),
  told({
    title: 'Routes',
    options: [bring('RouteSpec')],
    examples: [code('routes')],
  }),
  told({
    title: 'What a route gets, and what it answers',
    options: [bring('RouteRequest'), bring('RouteAnswer')],
    examples: [/^async function showBike[\s\S]*?^\}/m.exec(addon)[0]],
    also: [code('routes')],
  }),
  told({
    title: 'Jobs',
    text: 'Work for the clock: `run` is one unit of work, `runInSteps` for long ones. A row of `sys.cron` says when (`interval_number` and `interval_unit`, or `expression` as cron has it, in `timezone`; a smaller `priority` goes first). One process runs it, a failure is tried again with growing pauses.',
    options: [bring('UnitJobSpec'), bring('SteppedJobSpec'), bring('JobCall')],
    examples: [code('jobs')],
  }).concat(`\n\n\`data/30-jobs.xml\`:\n\n\`\`\`xml\n${wholeFile('data/30-jobs.xml')}\n\`\`\``),
  told({
    title: 'Workers',
    text: 'What follows changes by itself, beside the requests: asked at the start, soon after something was changed anywhere, and every few seconds, in every process that runs jobs. `changesAfter` tells what was changed, `outsideRequests` reaches servers elsewhere.',
    options: [bring('WorkerSpec'), bring('WorkerCall')],
    examples: [code('workers')],
  }),
  told({
    title: 'Queues',
    text: 'Work that waits in records until it is done, such as a request to a server elsewhere. A record is claimed by one process at a time, under a lease that is extended while the work runs. A try counts when the record is claimed: one that kills its process is given up after its tries. The model has `...queueFields`, which the queue alone writes, without history or events, and `queueIndexes`. Look at `/metrics` for how many wait, run and were given up. Rows of a `quiet` model, and rows that are written past `env.model`, need `wakeQueue(env, model)` to be found at once instead of within five seconds.',
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

\`composeMail\` makes a mail, \`queueMail\` puts it into the queue of the transaction: it is sent after the commit, and tried again when the server of the
receiver is busy. What the mail says is in the language of \`words\`.

${told({
  title: 'x',
  options: [[['packages/parts/mail/compose-mail.ts', 'MailContent']]],
  examples: [wholeFile('tell-owner.ts')],
}).replace('## x\n\n', '')}`,
  `## Sequences

\`default: sequence('workshop.repair')\` numbers records from the sequence of that code; \`company_id\` of a sequence makes it that of one company. Numbers of
a \`gapless\` one have no holes, at the price of one writer at a time.

\`\`\`ts
${/^ {2}name: fields.char.*$/m.exec(wholeFile('models/repair.ts'))[0].trim()}
\`\`\`

\`data/20-sequence.xml\`:

\`\`\`xml
${wholeFile('data/20-sequence.xml')}
\`\`\``,
  told({
    title: 'When it comes and goes',
    options: [bring('AddonHooks')],
    text: 'Run in the transaction of the change, under sudo; throwing takes all of it back.',
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
    text: 'Become records that administrators may change or switch off.',
    options: [bring('AutomationSpec')],
    examples: [code('automations')],
  }),
  section({
    title: 'Observers',
    options: [bring('ObserverSpec')],
    text: 'See what a unit of work changed, in its transaction and before its end; what they throw takes all of it back.',
    examples: [code('observers')],
  }),
  section({
    title: 'Notices',
    text: 'What people are told of, each in the way that they choose in their profile.',
    options: [bring('NoticeSpec')],
    examples: [/^const lateNotice.*$/m.exec(addon)[0], code('notices')],
  }),
  section({
    title: 'What people follow',
    text: 'What others did lately to records that a person follows, for their home.',
    options: [],
    examples: [code('followed')],
  }),
  section({
    title: 'Widgets and view types of its own',
    text: 'Drawn by the folder `client/`; see [writing-an-addon.md](../writing-an-addon.md#8-in-the-browser). Views may name them once they are here.',
    options: [[['packages/views/grammar/widgets.ts', 'WidgetSpec']], bring('ClientViewSpec')],
    examples: [code('widgets'), code('views')],
  }),
].join('\n\n')}
`;
}
