import { hasProvider, type Kernel, ownLanguageName } from '@kontor/kernel';
import type { NoticeWay, OwnFactor, OwnKey, OwnNotice, OwnSession, ProfileScreenData } from '@kontor/protocol';
import { themeOf } from '../bootstrap/build-bootstrap.ts';
import type { WorkspaceCaller } from '../build-workspace.ts';
import { userSettings } from '../settings/load-user-settings.ts';

/** The profile page: what users may change about themselves, their keys and factors, and their sessions. */
export async function profileScreen(
  kernel: Kernel,
  { actor }: WorkspaceCaller,
  sessionId: number,
): Promise<ProfileScreenData> {
  const own = [['user_id', '=', actor.uid]] as const;
  const settings = await userSettings(kernel, actor.uid);
  return kernel.read(actor, async (env) => {
    const server = env.sudo();
    const [[user], languages, apiKeys, sessions, factors, recoveryCodes, atProvider] = await Promise.all([
      env.model('core.user').read([actor.uid], ['name', 'login', 'email', 'lang', 'tz', 'image', 'signature']),
      server.model('core.lang').searchRead([['active', '=', true]], ['code']),
      server
        .model('core.user.apikey')
        .searchRead(own, [
          ...['name', 'prefix', 'expires_at', 'scope', 'agent', 'rate', 'last_used_at', 'active', 'create_date'],
          ...['old_prefix', 'old_expires_at', 'old_last_used_at'],
        ]),
      server.model('sys.session').searchRead(own, ['started_at', 'last_seen_at', 'address', 'device']),
      server.model('core.user.factor').searchRead(own, ['kind', 'name', 'create_date', 'last_used_at']),
      server.model('core.user.recovery').count(own),
      hasProvider(kernel.config)
        ? server.model('core.user').count([
            ['id', '=', actor.uid],
            ['oidc_only', '=', true],
          ])
        : 0,
    ]);
    return {
      user: user as ProfileScreenData['user'],
      theme: themeOf(settings),
      languages: languages.map(({ code }) => ({ code: String(code), name: ownLanguageName(String(code)) })),
      timeZones: Intl.supportedValuesOf('timeZone'),
      apiKeys: apiKeys as OwnKey[],
      sessions: sessions.map((session) => ({ ...(session as OwnSession), isCurrent: session.id === sessionId })),
      factors: factors as OwnFactor[],
      recoveryCodes,
      hasPassword: atProvider === 0,
      notices: ownNotices(kernel, actor.lang, settings.values.get('notices')),
      following: settings.values.get('following') ?? null,
      quiet: settings.values.get('quiet') ?? null,
    };
  });
}

const ways: readonly unknown[] = ['client', 'mail', 'both', 'none'] satisfies NoticeWay[];

function ownNotices({ loaded, wordsIn }: Kernel, lang: string, chosen: unknown): readonly OwnNotice[] {
  const own = (typeof chosen === 'object' && chosen !== null ? chosen : {}) as Readonly<Record<string, unknown>>;
  const say = wordsIn(lang);
  return [...loaded.definitions].flatMap(([module, { notices }]) =>
    notices.map(({ name, label, usual }) => ({
      name,
      label: say(label, module),
      way: ways.includes(own[name]) ? (own[name] as NoticeWay) : usual,
    })),
  );
}
