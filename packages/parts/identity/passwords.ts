import { type Text, text } from '@kontor/protocol';

/**
 * The most common passwords of eight characters or more in published leaks, folded, without trailing digits and signs:
 * guesses start with these.
 */
const common: ReadonlySet<string> = new Set(
  `password passwort passwords passw0rd p@ssw0rd p@ssword pa$$word motdepasse mdpmdpmd contrasena parola wachtwoord haslohaslo
  qwertyui qwertyuiop qwertzui qwertzuiop azertyui azertyuiop asdfghjk asdfghjkl yxcvbnm zxcvbnm zxcvbnmasdfghjkl qazwsxed qazwsxedc
  qweasdzxc qweasdyxc qwerasdf asdfasdf asdfqwer qwerqwer qweqweqwe asdasdasd zxczxczxc abcdefgh abcdefghi abcdefghij abcabcabc
  aaaaaaaa bbbbbbbb xxxxxxxx zzzzzzzz iloveyou ichliebedich jetaimejetaime ilovegod iloveme sunshine princess football baseball basketball
  superman batman superstar starwars trustno letmein letmeinplease welcome willkommen bienvenue benvenuto changeme changeit changemenow
  whatever computer internet schalke fcbayern hallohallo hallowelt helloworld hello administrator administrateur adminadmin admin
  rootroot testtest testtesttest testing tester secret supersecret geheim geheimnis michelle jennifer jessica christian christopher
  alexander sebastian danielle samantha victoria charlotte elizabeth veronica maverick corvette mercedes liverpool chelsea arsenal
  barcelona realmadrid manchester chocolate butterfly strawberry blueberry snowball midnight mountain november december september
  redsocks yankees steelers einstein pokemon minecraft nintendo playstation facebook linkedin googlegoogle microsoft windows dragon
  monkey shadow master freedom hunter killer blink pepper ginger cookie summer winter spring autumn sommer herbst fruehling
  passwort1234 password1234 login default defaultpassword master123 qwerty qwertz azerty kontor kontorkontor`.split(
    /\s+/,
  ),
);

/** Sequences and repetitions of digits: 12345678, 87654321, 11111111, 12341234. */
const isCounted = (folded: string): boolean =>
  /^\d+$/.test(folded) &&
  (/^(\d{1,4})\1+\d{0,3}$/.test(folded) ||
    '01234567890123456789'.includes(folded) ||
    '98765432109876543210'.includes(folded));

const isYears = (folded: string): boolean => /^(?:19|20)\d{6}$/.test(folded) || /^\d{4}(?:19|20)\d{2}$/.test(folded);

function fold(written: string): string {
  return written.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '');
}

const withoutEnd = (folded: string): string => folded.replace(/[\d!?.$*#@+_-]+$/, '');

/** Why a password is rejected; null: it is accepted. `names` are those of the companies, which are easy to guess. */
export function passwordProblem(password: string, names: readonly string[]): Text | null {
  if (password.length < 8 || password.length > 128) return text('Passwords must have 8 to 128 characters.');
  const folded = fold(password);
  const base = withoutEnd(folded);
  if (common.has(folded) || common.has(base) || isCounted(folded) || isYears(folded)) {
    return text('This password is one of the most common ones. Choose another.');
  }
  const plain = (written: string) => fold(written).replaceAll(/[^\p{L}\p{N}]/gu, '');
  const isName = (name: string) => plain(name) !== '' && [plain(password), plain(base)].includes(plain(name));
  return names.some(isName) ? text('The name of the company cannot be the password.') : null;
}
