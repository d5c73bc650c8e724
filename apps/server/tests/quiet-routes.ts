const byLink = '/portal/:secret(^[A-Za-z0-9_-]{43}$)';
const byAccount = '/portal/my/:model/:id(^\\d{1,9}$)';
const pages = [
  'GET ',
  'GET /document.pdf',
  'GET /files/:file(^\\d{1,9}$)',
  'POST /seen',
  'POST /comment',
  'POST /accept',
  'POST /decline',
];
/** The pages of customers; portal.test.ts tells what they show. */
const portalWays: Readonly<Record<string, string>> = Object.fromEntries([
  ...[byLink, byAccount].flatMap((base) =>
    pages.map((page) => [
      page.replace(' ', ` ${base}`),
      'is for a customer, who sees what the model declares of their own records',
    ]),
  ),
  [`POST ${byLink}/renew`, 'answers the same to everybody'],
  ['GET /web/portal/:secret(^[A-Za-z0-9_-]{43}$)', 'leads to the page of a link, and tells nothing itself'],
  ['GET /portal', 'is for a customer who has signed in there'],
  ['POST /portal/sign-in', 'answers the same to everybody'],
  ['GET /portal/in/:secret(^[A-Za-z0-9_-]{43}$)', 'is for who has a link'],
  ['POST /portal/in/:secret(^[A-Za-z0-9_-]{43}$)', 'opens a session of a customer'],
  ['POST /portal/sign-out', 'ends a session of a customer'],
]);

/** Routes that tell nothing of records, and why. */
export const tellsNothing: Readonly<Record<string, string>> = {
  'GET /': 'leads on',
  'GET /web*': 'is whatever else is not there',
  'GET /api/health': 'says that the process lives',
  'GET /api/health/ready': 'says whether the database answers',
  'GET /setup': 'is gone once there are records',
  'POST /setup/init': 'is gone once there are records',
  'GET /web/login': 'is for strangers',
  'POST /web/login': 'opens a session',
  'GET /mail/unsubscribe/:token': 'asks whether to end e-mails, for who has the signed link, and names no record',
  'POST /mail/unsubscribe/:token': 'ends e-mails, for who has the signed link, and names no record',
  'POST /automations/in/:rule': 'takes a message under the key of an automation, and says its number',
  'GET /web/wc/automations': 'tells who may customise of models, fields and actions, and of no record',
  'POST /web/automations/try/:rule(^[1-9][0-9]{0,8})':
    'tries an automation of the caller on records that the caller may read, and takes it back',
  'POST /mail/in/:mailbox': 'takes an e-mail under the key of a mailbox, and says its number',
  'GET /web/mail/incoming/:id(^[1-9][0-9]{0,8}).eml':
    'is an e-mail that belongs to no record yet, for the group that files it',
  'GET /web/mail/incoming/:id(^[1-9][0-9]{0,8}).html':
    'is an e-mail that belongs to no record yet, for the group that files it',
  'GET /web/calendar/feed/:secret(^[0-9a-f]{48}).ics':
    'is for who has the address: the meetings of its owner, with their rights',
  ...portalWays,
  'GET /web/login/factor': 'is for who has shown a password',
  'POST /web/login/factor': 'opens a session',
  'GET /web/login/enrol': 'is for who has shown a password, and shows a secret of their own',
  'POST /web/login/enrol': 'opens a session',
  'POST /web/user/factors/totp': 'gives a new secret of one’s own',
  'POST /web/user/factors/totp/confirm': 'gives recovery codes of one’s own',
  'POST /web/login/passkey/options': 'gives a challenge, and after the password the names of one’s own passkeys',
  'POST /web/login/passkey': 'opens a session',
  'POST /web/user/factors/passkey/options': 'gives a challenge',
  'POST /web/user/factors/passkey': 'gives recovery codes of one’s own',
  'POST /web/user/factors/remove': 'changes how one signs in oneself',
  'POST /web/user/factors/recovery': 'gives recovery codes of one’s own',
  'GET /web/login/oidc': 'leads to the provider',
  'GET /web/login/oidc/callback': 'opens a session',
  'GET /web/personal-data/:id(^\\d{1,9}).zip':
    'is for who is in charge of personal data, of a request of their own: all that is held of one person, or one file listed there',
  'GET /web/customise': 'tells who may customise of fields and screens, and of no record',
  'GET /web/settings/customise': 'shows who may customise the published fields and screens, and no record',
  'GET /web/settings/rights':
    'shows who may customise the rights on a model that they may read; records are counted and compared for who may read the rules, among their own',
  'GET /web/customise/uses': 'tells who may customise which screens, filters and rules name a field',
  'GET /web/customise/formula': 'tells who may customise whether a formula is right, and of no record',
  'GET /web/customise/column': 'tells the owner of an import who may customise what the values of its file look like',
  'GET /web/customise/addon': 'gives who may customise the published fields and screens as an addon',
  'POST /web/customise/addon': 'takes an exported addon into the draft for who may customise',
  'POST /web/customise/preview':
    'shows who may customise a screen that they may open, with changes that are not stored',
  'POST /web/customise/states':
    'shows who may customise the states and moves of a model, with counts of the records that they may read',
  'POST /web/customise/spreadsheet':
    'guesses for who may customise what the columns of their file hold; links by the names of records that they may read',
  'POST /web/customise': 'changes fields and screens for who may customise',
  'GET /web/logout': 'ends a session',
  'GET /web/forgot-password': 'is for strangers',
  'POST /web/forgot-password': 'answers the same to everybody',
  'GET /web/reset-password': 'is for who has a link',
  'POST /web/reset-password': 'is for who has a link',
  'POST /web/action/create_api_key': 'gives the secret of a new key of one’s own',
  'POST /web/action/rotate_api_key': 'gives a new secret of a key of one’s own',
  'POST /web/action/reset_password': 'is for administrators',
  'POST /web/company/switch': 'chooses among one’s own companies',
  'POST /web/module/action': 'is for administrators',
  'POST /web/user/pinned-apps': 'keeps names of apps',
  'POST /api/rpc': 'has a way for each of its methods',
  'POST /web/bulk/confirm': 'runs the action that the ways of an import run',
  'POST /web/bulk/cancel': 'discards a batch of one’s own',
  'GET /web/openapi.json': 'tells of models, fields and methods that are open to who asks, and of no record',
  'GET /web/schema/:model.json': 'tells of the fields of a model that are open to who asks, and of no record',
  'GET /web/wc/places': 'tells of the cities of the world, which are no records',
  'GET /web/wc/bus': 'has a test of its own below',
};
