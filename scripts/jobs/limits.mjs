/** Clicks and keys that a job may take. A change that makes a job shorter lowers its limit. */
const usual = {
  call: [1, 32],
  company: [3, 59],
  quotation: [3, 42],
  send: [3, 8],
  due: [1, 0],
  task: [5, 47],
  lead: [1, 40],
  meeting: [1, 27],
  turnover: [4, 11],
  importing: [5, 18],
  paste: [1, 18],
  bulk: [7, 17],
  merge: [3, 12],
  plan: [4, 17],
  figure: [2, 10],
};

export const limits = {
  demo: usual,
  empty: { ...usual, quotation: [1, 20], task: [1, 38], meeting: [0, 18], rental: [74, 293] },
};
