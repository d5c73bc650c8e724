import { declarations, doorExports } from './read-source.mjs';
import { addGap, fence } from './sections.mjs';

/** Which exports stand together. */
const topics = {
  'Models and fields': [
    'defineModel',
    'inheritModel',
    'fields',
    'editable',
    'answer',
    'companySettings',
    'ModelDefinition',
  ],
  'Sources of defaults': [
    'today',
    'now',
    'currentUser',
    'currentCompany',
    'companyValue',
    'sequence',
    'DefaultContext',
  ],
  'Contents of an addon': [
    'defineAddon',
    'AddonDefinition',
    'RouteSpec',
    'RouteRequest',
    'RouteAnswer',
    'fileAnswer',
    'secretPage',
    'secretHeaders',
    'html',
    'Html',
    'JobSpec',
    'Migration',
    'WorkerSpec',
    'WorkerCall',
    'defineQueue',
    'Queue',
    'QueueRow',
    'QueueEnd',
    'queueFields',
    'queueIndexes',
    'wakeQueue',
    'ObserverSpec',
    'WatcherSpec',
    'NoticeSpec',
    'FollowedChange',
    'systemModels',
    'systemJobs',
    'systemTexts',
  ],
  'Reading and writing': [
    'Env',
    'anyModel',
    'domain',
    'Domain',
    'checkRight',
    'inNameOf',
    'inSavepoint',
    'mayPersonRead',
    'modelRefusal',
    'fieldRefusal',
    'formulaFor',
    'agentOf',
    'callerAddress',
    'PortalSpec',
    'PortalDocument',
    'PortalPayment',
    'portalPaths',
    'customerReads',
    'fieldAtPath',
  ],
  'Following changes and sending requests': [
    'changesAfter',
    'outsideRequests',
    'OutsideResult',
    'afterCommit',
    'parseMultipart',
    'readPieces',
    'XmlPiece',
    'XmlTag',
    'CsvPiece',
    'tellSecret',
    'refuseLimitedKey',
  ],
  'Opening screens': ['open', 'openRelated', 'openPath', 'recordPath', 'recordLink', 'serverLink'],
  'Messages and errors': [
    'text',
    'Text',
    'Words',
    'UserError',
    'ValidationError',
    'KontorError',
    'wordsFor',
    'wordsIn',
    'directionOf',
    'languageTag',
  ],
  'Mail and notices': [
    'defineText',
    'renderText',
    'EditableText',
    'TextValues',
    'toHtml',
    'toParagraphs',
    'fromHtml',
    'htmlPolicy',
    'elementsIn',
    'showText',
    'textPreviewRoute',
    'recordTextMistake',
    'recordTextValues',
    'writtenValue',
    'Writing',
    'RecordValues',
    'fillRecordText',
    'insertableFields',
    'InsertableField',
    'bestLanguage',
    'textMail',
    'composeMail',
    'companyFrame',
    'queueMail',
    'canMail',
    'mailSetupLink',
    'mailStates',
    'MailOutcome',
    'moveMail',
    'takeBackMail',
    'withdrawMails',
    'ownSender',
    'unsubscribeLink',
    'unsubscribeScope',
    'UnsubscribeScope',
    'noticeWays',
    'quietUntil',
    'isMailAddress',
    'tellPerson',
    'notify',
    'noteSaid',
    'Said',
    'publish',
  ],
  'Numbers, days and places': [
    'Decimal',
    'sum',
    'dateIn',
    'onDay',
    'addDays',
    'addMonths',
    'startOfMonth',
    'daysBetween',
    'toLocal',
    'fromLocal',
    'isTimeZone',
    'WorkCalendar',
    'usualCalendar',
    'workingTime',
    'findCity',
  ],
  'Documents to print': [
    'openSheet',
    'Sheet',
    'drawTable',
    'drawText',
    'formatAmount',
    'ibanText',
    'formatNumber',
    'formatDate',
    'fontFiles',
  ],
  'Personal data': ['openPersonalData', 'personalFile', 'privacyGroup', 'exportRoute'],
  'Types of records and values': [
    'Models',
    'Calls',
    'Refs',
    'ModelName',
    'RefName',
    'GroupName',
    'FieldsOf',
    'CallsOf',
    'SettingsOf',
    'RecordOf',
    'Loaded',
    'Draft',
    'CreateValues',
    'WriteValues',
    'CastValues',
    'MeantFor',
    'Command',
    'ActionCall',
    'ActionAnswer',
    'CoreCompany',
    'CoreUser',
    'CoreUserCalls',
  ],
};

/** The text of docs/reference/door.md. */
export function doorPage() {
  const exported = doorExports();
  const declared = declarations();
  const shown = new Set(Object.values(topics).flat());
  for (const name of exported.keys())
    if (!shown.has(name)) addGap(`${name} of @kontor/addon is in no topic of the reference`);
  for (const name of shown)
    if (!exported.has(name)) addGap(`${name} is in the reference, but @kontor/addon does not export it`);
  const parts = Object.entries(topics).map(([title, names]) => {
    const entries = names.filter((name) => exported.has(name)).map((name) => part(exported.get(name), declared));
    return [`## ${title}`, ...entries].join('\n\n');
  });
  return `# @kontor/addon

All imports of an addon's server code. Other addons are imported by name, \`import '@addons/sale'\`, for their types.

${parts.join('\n\n')}
`;
}

function part({ name, declared: original, isType }, declared) {
  const { doc = '', examples = [] } = declared.get(original) ?? {};
  if (doc === '') addGap(`${name} of @kontor/addon has no comment`);
  if (examples.length === 0) addGap(`${name} of @kontor/addon has no example`);
  return [`### \`${name}\`${isType ? ' (type)' : ''}\n${doc}`, ...examples.map((code) => fence('ts', code))].join(
    '\n\n',
  );
}
