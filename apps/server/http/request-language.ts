import { type Kernel, sourceLanguage } from '@kontor/kernel';
import { inEnglish, type Translate } from '@kontor/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Translations for the caller. */
export interface RequestWords {
  readonly lang: string;
  readonly say: Translate;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** In the user's language once they are known, or else in the first translated language that their browser accepts. */
    readonly words: RequestWords;
  }
}

export function decorateLanguage(server: FastifyInstance, kernel: Kernel): void {
  server.decorateRequest('words', {
    getter(this: FastifyRequest) {
      const lang = this.caller?.actor.lang ?? acceptedLanguage(kernel, this.headers['accept-language']);
      return { lang, say: kernel.wordsIn(lang) };
    },
  });
}

/** The same for a request that the framework rejected before routing. */
export function wordsOf(request: FastifyRequest): RequestWords {
  return (request.words as RequestWords | undefined) ?? { lang: sourceLanguage, say: inEnglish };
}

function acceptedLanguage({ loaded }: Kernel, header = ''): string {
  const asked = header
    .slice(0, 500)
    .split(',')
    .map((part, index) => ({ ...readPart(part), index }))
    .filter(({ lang, weight }) => lang !== null && weight > 0)
    .sort((a, b) => b.weight - a.weight || a.index - b.index);
  const found = asked.find(({ lang }) => /^en(?:_|$)/.test(lang ?? '') || loaded.translations.keyOf(lang ?? '') !== '');
  return found?.lang ?? sourceLanguage;
}

/** `de-AT;q=0.8` */
function readPart(part: string): { readonly lang: string | null; readonly weight: number } {
  const [, language, country, weight = '1'] =
    /^\s*([a-z]{2,3})(?:-([a-z]{2}))?\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*$/i.exec(part) ?? [];
  if (language === undefined) return { lang: null, weight: 0 };
  const lang = [language.toLowerCase(), ...(country === undefined ? [] : [country.toUpperCase()])].join('_');
  return { lang, weight: Number(weight) };
}
