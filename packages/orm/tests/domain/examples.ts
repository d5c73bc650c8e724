/**
 * One condition a line, and the ids of the items that satisfy it; its negation must find exactly the others. The items are in
 * `example-data.ts`.
 */
export const examples: Readonly<Record<string, string>> = {
  'DOM-4 = and != on text': `
    ["name", "=", "Apple"] finds 1
    ["name", "!=", "Apple"] finds 2 3 4 5
    ["name", "=", false] finds 3 4
    ["name", "=", null] finds 3 4
    ["name", "=", ""] finds 3 4
    ["name", "!=", false] finds 1 2 5
    ["state", "=", "draft"] finds 1 5
    ["state", "=", "unheard of"] finds none
    ["ref", "=", "x.node,1"] finds 1
    ["ref", "!=", null] finds 1 2
  `,
  'DOM-5 in and not in': `
    ["name", "in", ["Apple", "apple"]] finds 1 2
    ["name", "in", ["Apple", null]] finds 1 3 4
    ["name", "in", []] finds none
    ["name", "not in", []] finds 1 2 3 4 5
    ["name", "not in", ["Apple"]] finds 2 3 4 5
    ["name", "not in", ["Apple", false]] finds 2 5
    ["qty", "in", [1, 20, 1000000000000000000, 1.5]] finds 1 2
    ["qty", "not in", [1, null]] finds 2 3 5
    ["id", "in", [2, 99999999999]] finds 2
    ["flag", "in", [true]] finds 1 5
  `,
  'DOM-2 order of numbers': `
    ["qty", "<", 1] finds 3 5
    ["qty", "<=", 1] finds 1 3 5
    ["qty", ">", 0.5] finds 1 2
    ["qty", ">=", -1e+300] finds 1 2 3 5
    ["qty", ">", 1e+300] finds none
    ["qty", "=", false] finds 4
    ["ratio", "=", 0.1] finds 1
    ["ratio", "<", 0] finds 5
    ["amount", "=", 0.3] finds 1
    ["amount", "=", "0.3000"] finds 1
    ["amount", "=", "123456789012345678.123456"] finds 2
    ["amount", ">", "123456789012345678.123455"] finds 2
    ["amount", ">=", "123456789012345678.123457"] finds none
    ["amount", "=", null] finds 4
  `,
  'DOM-2 order of text is by code point, empty text is in no order': `
    ["name", "<", "a"] finds 1
    ["name", ">=", "apple"] finds 2 5
    ["name", ">", ""] finds 1 2 5
    ["name", "<=", ""] finds none
  `,
  'DOM-2 booleans': `
    ["flag", "=", true] finds 1 5
    ["flag", "=", false] finds 2 3 4
    ["flag", "!=", true] finds 2 3 4
    ["is_big", "=", true] finds 2
    ["is_big", "!=", true] finds 1 3 4 5
    ["is_big", "in", [true, false]] finds 1 2 3 4 5
  `,
  'DOM-2 days and instants': `
    ["day", "=", "2026-11-14"] finds 1
    ["day", "=", "$today"] finds 1
    ["day", "<", "2026-01-01"] finds 2 5
    ["day", "=", null] finds 3 4
    ["at", "=", "2026-11-14"] finds 1
    ["at", "=", "2026-11-14T10:30:00.123+01:00"] finds 2
    ["at", ">", "2026-11-14"] finds 2
    ["at", "<", "$now"] finds 1
    ["at", "!=", "2026-11-14"] finds 2 3 4 5
  `,
  'DOM-3 patterns': String.raw`
    ["name", "like", "pp"] finds 1 2
    ["name", "like", "APP"] finds none
    ["name", "ilike", "APP"] finds 1 2
    ["name", "not ilike", "app"] finds 3 4 5
    ["name", "ilike", "οδος"] finds 5
    ["name", "ilike", ""] finds 1 2 3 4 5
    ["note", "like", "50%"] finds 1
    ["note", "ilike", "50%"] finds 1
    ["note", "like", "%"] finds 1
    ["note", "not like", "%"] finds 2 3 4 5
    ["note", "like", "_"] finds 1
    ["note", "ilike", "_"] finds 1
    ["note", "not ilike", "_"] finds 2 3 4 5
    ["note", "like", "f_"] finds 1
    ["note", "ilike", "0_"] finds none
    ["note", "like", "\\"] finds 5
    ["note", "ilike", "A\\B"] finds 5
    ["node_id", "ilike", "_"] finds none
    ["node_id.name", "like", "%"] finds none
    ["tag_ids", "ilike", "_"] finds none
    ["display_name", "ilike", "_"] finds none
    ["note", "=like", "50%"] finds 1 2
    ["note", "=like", "50_off_"] finds none
    ["note", "=like", "50_ off\\_"] finds 1
    ["note", "=like", "a\\\\b"] finds 5
    ["note", "=like", "50"] finds none
    ["note", "=like", "50_percent"] finds 2
    ["note", "=ilike", "50_PERCENT"] finds 2
    ["note", "=ilike", "%F\\_"] finds 1
    ["name", "=like", "APPLE"] finds none
    ["note", "=like", "a\\"] finds none
    ["name", "=ilike", "A%E"] finds 1 2
    ["name", "=like", "% _"] finds 5
    ["amount", "ilike", "0.3"] finds 1
    ["amount", "ilike", "0.30"] finds none
    ["amount", "=like", "%.5"] finds 5
    ["amount", "not ilike", "1"] finds 1 3 4
    ["qty", "ilike", "2"] finds 2
    ["qty", "like", "-"] finds 5
    ["ratio", "=like", "1000%0"] finds 2
  `,
  'DOM-2 many2one': `
    ["node_id", "=", 3] finds 1
    ["node_id", "!=", 3] finds 2 3 4 5
    ["node_id", "=", false] finds 4
    ["node_id", "in", [2, null]] finds 2 4
    ["node_id", "=", 4294967299] finds none
    ["node_id", "ilike", "zür"] finds 1
    ["node_id", "not ilike", "zür"] finds 2 3 4 5
    ["node_id", "=", "Zürich (ZH)"] finds 1
    ["node_id", "=", "Europe"] finds 2
    ["node_id", "in", ["Europe", 4]] finds 2 3
    ["node_id", "not in", ["Europe", 4, null]] finds 1 5
  `,
  'DOM-6 x2many: some line, no line': `
    ["line_ids", "=", null] finds 3 4 5
    ["line_ids", "!=", null] finds 1 2
    ["line_ids", "=", 3] finds 2
    ["line_ids", "not in", [3]] finds 1 3 4 5
    ["line_ids", "in", [3, false]] finds 2 3 4 5
    ["tag_ids", "=", "red"] finds 1
    ["tag_ids", "ilike", "B"] finds 1 2
    ["tag_ids", "not in", [1]] finds 2 3 4 5
    ["tag_ids", "in", ["red", 2]] finds 1 2
    ["tag_ids", "=", false] finds 3 4 5
  `,
  'DOM-6 paths': `
    ["node_id.name", "=", "Europe"] finds 2
    ["node_id.name", "!=", "Europe"] finds 1 3 4 5
    ["node_id.code", "=", null] finds 2 3
    ["node_id.parent_id.name", "ilike", "e"] finds 1
    ["line_ids.qty", "=", 5] finds 1 2
    ["line_ids.qty", "!=", 5] finds 3 4 5
    ["line_ids.label", "=", false] finds 1
    ["line_ids.node_id.code", "=", "ZH"] finds 1
    ["tag_ids.name", "in", ["red", "green"]] finds 1
    ["node_code", "=", null] finds 2 3 4
    ["node_code", "=", "W"] finds 5
    ["line_qty", "=", 6] finds 1
    ["line_count", "<", 1] finds 3 4 5
    ["display_name", "like", "pple"] finds 1 2
  `,
  'DOM-10 trees': `
    ["node_id", "child_of", 1] finds 1 2 5
    ["node_id", "child_of", [2, 3]] finds 1 2
    ["node_id", "parent_of", 3] finds 1 2 5
    ["node_id", "parent_of", [1]] finds 5
    ["node_id", "child_of", 4] finds 3
    ["node_id", "child_of", 5] finds 3
    ["node_id", "parent_of", 5] finds 3
    ["node_id", "child_of", 99999999999] finds none
    ["line_ids.node_id", "child_of", 1] finds 1
  `,
  'DOM-4 fields of which only emptiness is known': `
    ["data", "=", null] finds 2 3 4 5
    ["data", "!=", false] finds 1
    ["blob", "=", null] finds 2 3 4 5
  `,
};
