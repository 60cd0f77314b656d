import { createHash } from "node:crypto";

/** A program that the server runs as a whole: nobody sees a half of it, and it needs no connection of its own. */
export interface Script {
  readonly text: string;
  /** The name by which a server knows a program that it has run before. */
  readonly sha1: string;
}

function script(text: string): Script {
  return { text, sha1: createHash("sha1").update(text).digest("hex") };
}

/** How many bytes everything has, at about: whoever reads it has to know how long that may take. KEYS: flags, segments. */
export const measureAll: Script = script(`
local bytes = 0
for _, key in ipairs(KEYS) do
  if redis.call("TYPE", key).ok == "hash" then
    for _, text in ipairs(redis.call("HGETALL", key)) do bytes = bytes + #text end
  end
end
return bytes`);

/**
 * Everything at one moment, in two lists; none where no full set was written. A collection of another type fails: it tells nothing of what
 * there is. KEYS: flags, segments, marker.
 */
export const readAll: Script = script(`
if redis.call("EXISTS", KEYS[3]) == 0 then return {} end
local all = {}
for at = 1, 2 do
  local kind = redis.call("TYPE", KEYS[at]).ok
  if kind ~= "hash" and kind ~= "none" then return redis.error_reply("WRONGTYPE " .. KEYS[at] .. " is a " .. kind) end
  all[at] = redis.call("HGETALL", KEYS[at])
end
return all`);

/**
 * Puts a full set in place of what there is. KEYS: flags, segments, marker. ARGV: how many flags, then key and text of
 * every flag and segment.
 *
 * What is new is written before anything is removed, and nothing is removed that is not there: a server that is out of memory
 * refuses the first write if that adds something, and the old set is still there.
 */
export const replaceAll: Script = script(`
local at = 2
local function fill(key, last)
  local kind = redis.call("TYPE", key).ok
  if kind ~= "hash" and kind ~= "none" then redis.call("DEL", key) end
  local present = {}
  while at <= last do
    redis.call("HSET", key, ARGV[at], ARGV[at + 1])
    present[ARGV[at]] = true
    at = at + 2
  end
  for _, field in ipairs(redis.call("HKEYS", key)) do
    if not present[field] then redis.call("HDEL", key, field) end
  end
end
fill(KEYS[1], 1 + 2 * tonumber(ARGV[1]))
fill(KEYS[2], #ARGV)
redis.call("SET", KEYS[3], "")
return 1`);

/** Some items, each followed by what tells its text from others. KEYS: the collection. ARGV: the keys of the items. */
export const readItems: Script = script(`
local found = {}
for _, field in ipairs(ARGV) do
  local kept = redis.call("HGET", KEYS[1], field)
  found[#found + 1] = kept or ""
  found[#found + 1] = kept and redis.sha1hex(kept) or ""
end
return found`);

/**
 * Writes each item whose text is still the one that was read, and lists for each in turn whether it was written. KEYS: the
 * collection. ARGV: whether the collection has to be there, and for each item: its key, its text, what told the text that was read from
 * others. Where somebody has taken the collection away some items would look like all.
 */
export const writeUnchanged: Script = script(`
if ARGV[1] == "there" and redis.call("EXISTS", KEYS[1]) == 0 then
  return redis.error_reply("LOST " .. KEYS[1] .. " was deleted or evicted by somebody else")
end
local written = {}
for at = 2, #ARGV, 3 do
  local kept = redis.call("HGET", KEYS[1], ARGV[at])
  local unchanged = (kept and redis.sha1hex(kept) or "") == ARGV[at + 2]
  if unchanged then redis.call("HSET", KEYS[1], ARGV[at], ARGV[at + 1]) end
  written[#written + 1] = unchanged and 1 or 0
end
return written`);

/**
 * Takes a piece of a step of a big segment if the step begins where the memberships stand, and tells whether it did (1), did not (0), or could not,
 * because pieces before it are gone (2), followed by the lists that were of another type and gave way. KEYS:
 * cursor, lock, then the lists that are changed. ARGV: where the step begins, where it leads (before the last piece: where it
 * begins), the segment, how many of the lists it is added to (included), removed from, added to (excluded), removed
 * from, the name of the step, and how many pieces of it come before. The lock is written because ld-relay watches it; it says how many pieces of
 * which step are there, so that a database that has gone back to what it was is not taken for one that has them. What a script has
 * done before it fails stays done: the cursor moves after everything else.
 */
export const applyPiece: Script = script(`
if (redis.call("GET", KEYS[1]) or "") ~= ARGV[1] then return {0} end
local lock = redis.pcall("GET", KEYS[2])
local name, count = string.match(type(lock) == "string" and lock or "", "^(%x+) (%d+)$")
local there = name == ARGV[8] and tonumber(count) or 0
local before = tonumber(ARGV[9])
if there < before then return {2} end
redis.call("SET", KEYS[2], there > 0 and lock or "")
local outcome = {1}
local at = 3
for turn, command in ipairs({"SADD", "SREM", "SADD", "SREM"}) do
  for _ = 1, tonumber(ARGV[3 + turn]) do
    local reply = redis.pcall(command, KEYS[at], ARGV[3])
    if type(reply) == "table" and reply.err then
      if not string.find(reply.err, "WRONGTYPE", 1, true) then return reply end
      redis.call("DEL", KEYS[at])
      redis.call(command, KEYS[at], ARGV[3])
      outcome[#outcome + 1] = KEYS[at]
    end
    at = at + 1
  end
end
if ARGV[2] == ARGV[1] then
  redis.call("SET", KEYS[2], ARGV[8] .. " " .. math.max(there, before + 1))
else
  redis.call("SET", KEYS[1], ARGV[2])
  redis.call("SET", KEYS[2], "")
end
return outcome`);
