<doc id="4294967303" url="https://www.tides.example/sea?q=%22moon%22&p=1" website="www.tides.example" urldomain="tides.example" tld="example" crawl_date="2025-03-20" title="Tides & ”moons” by C:\\sea\\" author="Owen Tarrant|Ana <Li>" date="2025-03-19" year="2025" month="2025-03" date_source="jsonld" sitename="The Tides" section="Science" keywords="sea|moon / sun" lang="eng" lang_score="0.988" page_type="article" confidence="0.9-1.0" charset="windows-1252" file_type="text/html" license="CC BY 4.0" words="61" length="1k-10k" warc_id="urn:uuid:0f0b2c6a-6e9c-4a7e-9a39-0d3f7a1c2b55" cluster_size="2" dup_cluster="4294967303">
<p id="0" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Before
any
heading
<g/>
:
AT
<g/>
&
<g/>
T's
"
<g/>
10
<
20
<g/>
"
<g/>
.
</s>
</p>
<p id="2" heading="1" lang="eng" class="good" cfclass="short" dup="0">
<s>
Tides
</s>
</p>
<p id="3" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
The
tide
(
<g/>
twice
a
day
<g/>
!
<g/>
)
comes
later
<g/>
.
</s>
<s>
Why
<g/>
?
</s>
</p>
<p id="4" heading="0" lang="zho" class="good" cfclass="short" dup="0">
<s>
这
<g/>
是
<g/>
第一
<g/>
句
<g/>
。
</s>
<g/>
<s>
这
<g/>
是
<g/>
第二
<g/>
句
<g/>
。
</s>
</p>
<p id="5" heading="1" lang="eng" class="good" cfclass="short" dup="0">
<s>
Causes
</s>
</p>
<p id="6" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
The
moon
<g/>
,
</s>
</p>
<p id="7" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
which
is
near
</s>
</p>
<p id="8" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
The
sun
<g/>
.
</s>
</p>
<p id="9" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
It
is
far
<g/>
.
</s>
</p>
<p id="10" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Heights
</s>
</p>
<p id="11" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Place
</s>
</p>
<p id="12" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Harbour
</s>
</p>
<p id="13" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
3.5
m
</s>
</p>
<p id="14" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Time
and
tide
wait
for
no
man
<g/>
.
</s>
</p>
<p id="15" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
if
a
<
b
{
</s>
<s>
print
<g/>
(
<g/>
"
<g/>
<
<g/>
doc
<g/>
>
<g/>
"
<g/>
)
<g/>
;
}
</s>
</p>
<p id="16" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Ebb
</s>
</p>
<p id="17" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
Falling
tide
</s>
</p>
<p id="18" heading="0" lang="eng" class="good" cfclass="short" dup="0">
<s>
The
harbour
at
noon
</s>
</p>
<p id="19" heading="0" lang="und" class="good" cfclass="short" dup="1">
<s>
Quay
1
</s>
</p>
<p id="21" heading="1" lang="eng" class="good" cfclass="short" dup="0">
<s>
The
end
</s>
</p>
</doc>
