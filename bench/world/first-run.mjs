import { randomBytes } from 'node:crypto';

/** Sets a new server up over HTTP as a person would; answers how its administrator signs in. */
export async function setUp(url, apps, country = '') {
  const admin = { email: 'admin@example.com', password: randomBytes(12).toString('hex') };
  await post(url, '/setup/init', { company_name: 'Bench', admin_name: 'Admin', ...admin, apps, country });
  return admin;
}

const groupsOf = {
  crm: ['crm.group_user'],
  sale_crm: ['sale.group_user'],
  invoice: ['invoice.group_user', 'accounting.group_user'],
};

/** Sets it up with the orders to measure, and makes an ordinary user with an API key. A country brings its sales taxes. */
export async function firstRun(url, apps = []) {
  const admin = await (apps.length > 0 ? setUp(url, ['bench', ...apps], 'DE') : setUp(url, 'bench'));
  const session = await signIn(url, admin);
  const rpc = (model, method, ...args) => callAs(url, session.headers, { model, method, args });
  const [company] = await rpc('core.company', 'search', []);
  const otherCompanyId = await rpc('core.company', 'create', {
    name: 'Not for everyone',
    currency_id: company.currency_id,
  });
  const keys = ['base.group_user', ...apps.flatMap((app) => groupsOf[app] ?? [])];
  const groups = await rpc('core.group', 'search', [['key', 'in', keys]]);
  const user = { email: 'user@example.com', password: randomBytes(12).toString('hex') };
  const userId = await rpc('core.user', 'create', {
    name: 'Ordinary user',
    login: user.email,
    password: user.password,
    company_id: company.id,
    group_ids: [['set', groups.map(({ id }) => id)]],
  });
  return { admin, user, companyId: company.id, otherCompanyId, userId, apiKey: await makeKey(url, session, userId) };
}

export async function signIn(url, { email, password }) {
  const answer = await post(url, '/web/login', { login: email, password });
  const { result } = await answer.json();
  const [cookie] = answer.headers.getSetCookie()[0].split(';');
  return { headers: { cookie, 'x-csrf-token': result.csrfToken }, csrf: result.csrfToken };
}

/** The next page shows the secret, once. */
async function makeKey(url, { headers, csrf }, userId) {
  const answer = await fetch(`${url}/web/action/create_api_key`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrf_token: csrf, user_id: String(userId), name: 'bench' }),
  });
  const flash = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('svc_flash='));
  if (!flash) throw new Error(`No API key was made: ${answer.status} ${await answer.text()}`);
  const page = await fetch(`${url}/web/home`, { headers: { cookie: `${headers.cookie}; ${flash.split(';')[0]}` } });
  const [, bootstrap] = /__WC_BOOTSTRAP__ = (.*?);<\/script>/s.exec(await page.text());
  return JSON.parse(bootstrap).toasts[0].body;
}

async function post(url, path, body) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

export async function callAs(url, headers, request) {
  const answer = await fetch(`${url}/api/rpc`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  const { ok, result, error } = await answer.json();
  if (!ok) throw new Error(`${request.model}.${request.method}: ${error.code} ${error.message}`);
  return result;
}
