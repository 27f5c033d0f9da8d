-- The requests of recall.py, for wrk: recalls with one of many questions, at a rate or as fast as they are answered.

local key = os.getenv("MEMORITER_CHECK_KEY")
local pause_ms = tonumber(os.getenv("MEMORITER_CHECK_PAUSE_MS"))
local headers = { ["Authorization"] = "Bearer " .. key, ["Content-Type"] = "application/json" }
local bodies = {}
for line in io.lines(os.getenv("MEMORITER_CHECK_QUESTIONS")) do
   bodies[#bodies + 1] = line
end
math.randomseed(6)

function request()
   return wrk.format("POST", "/v1/memories/search", headers, bodies[math.random(#bodies)])
end

-- Connections that pause at random come apart, as callers who know nothing of each other do.
if pause_ms > 0 then
   function delay()
      return math.random(0, 2 * pause_ms)
   end
end

function done(summary, latency, requests)
   local errors = summary.errors
   local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
   local form = 'RESULT {"requests": %d, "secs": %.3f, "failed": %d, "p50_ms": %.3f, "p90_ms": %.3f, "p99_ms": %.3f, '
      .. '"p999_ms": %.3f, "max_ms": %.3f}\n'
   local at = function(percentile) return latency:percentile(percentile) / 1e3 end
   io.write(string.format(form, summary.requests, summary.duration / 1e6, failed, at(50), at(90), at(99), at(99.9),
      latency.max / 1e3))
end
