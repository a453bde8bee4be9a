-- Sends the requests of a file one after the other, again and again. Each ends with an empty line.
local requests, last = {}, 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for request in file:read("*a"):gmatch("(.-\r\n\r\n)") do
    requests[#requests + 1] = request
  end
  file:close()
end

function request()
  last = last % #requests + 1
  return requests[last]
end

-- Times are in microseconds.
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('\n{"requests":%d,"us":%d,"p99_us":%d,"errors":%d}\n', summary.requests, summary.duration,
    latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
