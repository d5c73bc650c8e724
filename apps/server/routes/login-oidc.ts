import { hasProvider, type Kernel } from '@kontor/kernel';
import {
  findByProvider,
  isAddressTaken,
  makeByProvider,
  noteFailedSignIn,
  type Person,
  type ProviderPerson,
  takeStep,
} from '@kontor/parts';
import { KontorError, type Text, text } from '@kontor/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Configuration } from 'openid-client';
import { nextPath } from '../answers/answer-post.ts';
import { setFlash } from '../http/flash.ts';
import { ownAddress } from '../http/own-address.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { beginAnew, openDoor, stepToken, waitFor } from './sign-in-steps.ts';

const home = '/web/home';
const callback = '/web/login/oidc/callback';
const seconds = 10;

/** Loaded with the first sign-in through a provider. */
const client = () => import('openid-client');

/**
 * Sign-in with an OpenID Connect provider: authorization code with PKCE, state and nonce. No second factor is asked
 * for.
 */
// Over 60 lines: two routes of one sign-in that share the provider and the limits.
export function loginOidcRoutes(server: FastifyInstance, kernel: Kernel, limits: RateLimits): void {
  const provider = rememberedProvider(kernel);
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    if (!hasProvider(kernel.config)) throw new KontorError('NOT_FOUND', 'There is no such page.');
    await limits.login(request);
  };

  server.get('/web/login/oidc', { onRequest }, async (request, reply) => {
    await limits.stranger(request);
    const next = nextPath(String((request.query as { next?: unknown }).next ?? ''), home);
    const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
      await client();
    const known = await provider().catch((error: unknown) => {
      request.log.warn({ reqId: request.id, err: error }, 'the OpenID Connect provider did not answer');
      return null;
    });
    if (!known)
      return refuse(kernel, { request, reply }, text('The provider cannot be reached. Try again in a moment.'));
    const [verifier, state, nonce] = [randomPKCECodeVerifier(), randomState(), randomNonce()];
    await waitFor(kernel, { request, reply }, { kind: 'oidc', uid: null, data: { next, verifier, state, nonce } });
    const address = buildAuthorizationUrl(known, {
      redirect_uri: `${addressOf(kernel, request)}${callback}`,
      scope: 'openid email profile',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return reply.redirect(address.href, 303);
  });

  server.get(callback, { onRequest }, async (request, reply) => {
    const step = await takeStep(kernel.database.urgent, 'oidc', stepToken(request));
    if (!step) return beginAnew(kernel, { request, reply });
    const { next, verifier, state, nonce } = step.data as Readonly<Record<string, string>>;
    const known = await provider()
      .then(
        (config) => fetchIdentity(config, request, addressOf(kernel, request), { verifier, state, nonce }),
        (error: unknown) => error,
      )
      .catch((error: unknown) => error);
    if (!isPerson(known)) {
      request.log.warn({ reqId: request.id, err: known }, 'sign-in at the OpenID Connect provider failed');
      return fail(kernel, { request, reply }, text('The provider did not sign you in. Try again.'));
    }
    if (known.email === '') {
      return fail(
        kernel,
        { request, reply },
        text('The provider has not verified your e-mail address, so it cannot be matched to an account.'),
      );
    }
    const person = await personFor(kernel, known);
    if (!person) {
      return fail(
        kernel,
        { request, reply },
        text('There is no account here for {email}. Ask your administrator.', { email: known.email }),
      );
    }
    await openDoor(kernel, { request, reply }, person, 'oidc');
    return reply.redirect(nextPath(next ?? '', home), 303);
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Loaded once; again after a failure. */
function rememberedProvider({ config }: Kernel): () => Promise<Configuration> {
  let known: Promise<Configuration> | null = null;
  const discover = async () => {
    const { allowInsecureRequests, ClientSecretPost, discovery, None } = await client();
    const issuer = new URL(config.oidcIssuer);
    const secret = config.oidcClientSecret;
    return discovery(issuer, config.oidcClientId, undefined, secret === '' ? None() : ClientSecretPost(secret), {
      timeout: seconds,
      // The configuration allows http only for this machine.
      ...(issuer.protocol === 'http:' ? { execute: [allowInsecureRequests] } : {}),
    });
  };
  return () => {
    known ??= discover().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}

/** Exchanges the code for the user's identity; the library checks state, nonce, signature, audience and times. */
async function fetchIdentity(
  config: Configuration,
  request: FastifyRequest,
  address: string,
  { verifier, state, nonce }: Readonly<Record<string, string | undefined>>,
): Promise<ProviderPerson> {
  const { authorizationCodeGrant, fetchUserInfo } = await client();
  const tokens = await authorizationCodeGrant(config, new URL(`${address}${request.url}`), {
    pkceCodeVerifier: verifier ?? '',
    expectedState: state ?? '',
    expectedNonce: nonce ?? '',
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new KontorError('UNAUTHORIZED');
  // Some providers include the address in the token, others only in the user info.
  const told =
    claims.email === undefined && config.serverMetadata().userinfo_endpoint
      ? await fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims;
  return {
    subject: `${claims.iss} ${claims.sub}`.slice(0, 600),
    email: told.email_verified === true ? String(told.email ?? '').trim() : '',
    name: String(told.name ?? '')
      .trim()
      .slice(0, 200),
  };
}

function isPerson(value: unknown): value is ProviderPerson {
  return typeof value === 'object' && value !== null && 'subject' in value && 'email' in value;
}

async function personFor(kernel: Kernel, known: ProviderPerson): Promise<Person | null> {
  const { urgent } = kernel.database;
  const found = await findByProvider(urgent, known);
  if (found || !kernel.config.oidcCreate || (await isAddressTaken(urgent, known))) return found;
  return makeByProvider(kernel, known, kernel.config.oidcGroup);
}

async function fail(kernel: Kernel, exchange: Exchange, message: Text): Promise<FastifyReply> {
  const { request } = exchange;
  const origin = { address: request.ip, requestId: request.id };
  await noteFailedSignIn(kernel.database.urgent, { uid: null, method: 'oidc', ...origin });
  return refuse(kernel, exchange, message);
}

function refuse({ config }: Kernel, { request, reply }: Exchange, message: Text): FastifyReply {
  request.failure = 'UNAUTHORIZED';
  const body = request.words.say(message);
  setFlash({ config }, { request, reply }, { kind: 'error', title: '', body });
  return reply.redirect('/web/login', 303);
}

/** As configured, and as registered with the provider; otherwise from the headers of this request. */
function addressOf({ config }: Kernel, request: FastifyRequest): string {
  return config.baseUrl || ownAddress(request);
}
