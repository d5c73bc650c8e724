/** Whether the words of a command line ask for a start, and for nothing else. */
export function isPlainStart(argv: readonly string[]): boolean {
  const [name = 'start'] = argv;
  const asks = ['--help', '-h', '--version'];
  return (name === 'start' || name.startsWith('-')) && !argv.some((word) => asks.includes(word));
}
